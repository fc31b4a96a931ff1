import { z } from 'zod'
import { Refusal } from '../../../core/errors.ts'
import { SCOPES, type Scope } from '../../../core/scopes.ts'
import { LENDER, peopleOf } from '../../../db/sql/people-tables.ts'
import { listKeys, registerKey, revokeKey } from '../../auth/keys.ts'
import { lockTenant } from '../../auth/queries.ts'
import { recordAction } from '../../console/actions.ts'
import { ROLES, type Role } from '../../console/roles.ts'
import { inviteOrInviteAgain, lockWhetherCanSignIn, removePerson } from '../../people/people.ts'
import type { Person, TenantPeople } from '../../people/person.ts'
import { actInvite } from '../people-acts.ts'
import { OPERATOR_ROLES, type Operator } from '../roles.ts'
import type { GuardedAct } from './guarded-act.ts'

type NewKey = {
  tenantId: string
  publicKeyPem: string
  label: string
  scopes: Scope[]
  /** RFC 3339. */
  expiresAt: string | null
}
type OfKey = { tenantId: string; keyId: string }
type OfPerson = { tenantId: string; personId: string }
type NewPerson = { tenantId: string; email: string; name: string; role: Role }

export const REVOKE_KEY: GuardedAct<OfKey, void> = {
  action: 'keys.revoke',
  schema: z.strictObject({ tenantId: z.string(), keyId: z.string() }),
  needsSecond: async () => false,
  async run({ tx, now }, { tenantId, keyId }, reason) {
    await revokeKey(tx, tenantId, keyId, now)
    const subject = { kind: 'key', id: keyId }
    return { result: undefined, act: { action: 'keys.revoke', subject, tenantId, reason } }
  },
}

/** The tenant's record has it as the lender's act. Another key of a tenant that has some could move its
 * money. */
export const REGISTER_KEY: GuardedAct<NewKey, { id: string }> = {
  action: 'keys.register',
  schema: z.strictObject({
    ...{ tenantId: z.string(), publicKeyPem: z.string(), label: z.string() },
    ...{ scopes: z.array(z.enum(SCOPES)), expiresAt: z.string().nullable() },
  }),
  async needsSecond({ tx, now }, { tenantId }) {
    // Another key could be registered between this and the act.
    await lockTenant(tx, tenantId)
    return (await listKeys(tx, tenantId, now)).some(({ state }) => state === 'active')
  },
  async run({ tx, now, maxActiveKeys }, { tenantId, publicKeyPem, ...terms }, reason) {
    const { label, scopes } = terms
    const expiresAt = terms.expiresAt === null ? undefined : new Date(terms.expiresAt)
    const registration = { publicKeyPem, label, scopes, expiresAt }
    const limits = { maxActive: maxActiveKeys, now }
    const id = await registerKey(tx, tenantId, registration, limits)
    const after = { label, scopes, expires_at: terms.expiresAt, public_key: publicKeyPem.trim() }
    await recordAction(tx, { tenantId, now }, { action: 'createKey', subject: id, after })
    const subject = { kind: 'tenant', id: tenantId }
    const act = { action: 'keys.register' as const, subject, tenantId, reason, after }
    return { result: { id }, act }
  },
}

/** A link into a tenant's console takes two operators; it stands in the tenant's record as the lender's
 * act. It never replaces what a person signs in with: the tenant's own admin does that. Refuses
 * `already_exists` for someone who has credentials. */
export const INVITE_PERSON: GuardedAct<NewPerson, { person: Person<TenantPeople>; token: string }> =
  {
    action: 'console.invite',
    schema: z.strictObject({
      ...{ tenantId: z.string(), email: z.string(), name: z.string() },
      role: z.enum(ROLES),
    }),
    needsSecond: async ({ acting }) => acting.actor.kind !== 'system',
    async run({ tx, now, acting }, { tenantId, ...member }, reason) {
      const people = peopleOf(tenantId)
      if (await lockWhetherCanSignIn(tx, people, { email: member.email, now })) {
        const detail = `${member.email} can sign in. Ask an admin of the tenant to invite them again.`
        throw new Refusal('already_exists', detail)
      }
      const changing = { ...people, now, isTrusted: acting.actor.kind === 'system' }
      const { person, token, before } = await inviteOrInviteAgain(tx, changing, member)
      const { id, ...after } = person
      const subject = before ? { kind: 'console_person', id } : { kind: 'tenant', id: tenantId }
      const act = { action: 'console.invite' as const, subject, tenantId, reason, after }
      return { result: { person, token }, act }
    },
  }

/** An operator who is there gets the role and another link. Who has credentials is given a link by two
 * operators; the system's user, who is trusted with everything, is one. */
export const INVITE_OPERATOR: GuardedAct<
  Omit<Operator, 'id'>,
  { person: Operator; token: string }
> = {
  action: 'operators.invite',
  schema: z.strictObject({
    ...{ email: z.string(), name: z.string() },
    role: z.enum(OPERATOR_ROLES),
  }),
  async needsSecond({ tx, acting, now }, { email }) {
    if (acting.actor.kind === 'system') return false
    return await lockWhetherCanSignIn(tx, LENDER, { email, now })
  },
  async run({ tx, now, acting }, given, reason) {
    const isTrusted = acting.actor.kind === 'system'
    const { result, act } = await actInvite(tx, given, { now, isTrusted })
    return { result, act: { ...act, reason } }
  },
}

export const REMOVE_PERSON: GuardedAct<OfPerson, Person<TenantPeople>> = {
  action: 'console.remove',
  schema: z.strictObject({ tenantId: z.string(), personId: z.string() }),
  needsSecond: async () => false,
  async run({ tx, now }, { tenantId, personId }, reason) {
    const removed = await removePerson(tx, { ...peopleOf(tenantId), now }, personId)
    const { id, ...before } = removed
    const subject = { kind: 'console_person', id }
    const act = { action: 'console.remove' as const, subject, tenantId, reason, before }
    return { result: removed, act }
  },
}
