import { z } from 'zod'
import { peopleOf } from '../../../db/people-tables.ts'
import { revokeKey } from '../../auth/keys.ts'
import { ROLES, type Role } from '../../console/roles.ts'
import { inviteOrInviteAgain, removePerson } from '../../people/people.ts'
import type { Person, TenantPeople } from '../../people/person.ts'
import type { GuardedAct } from './guarded-act.ts'

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

/** Returns the token of the invitation, which is stored nowhere. */
export const INVITE_PERSON: GuardedAct<NewPerson, { person: Person<TenantPeople>; token: string }> =
  {
    action: 'console.invite',
    schema: z.strictObject({
      ...{ tenantId: z.string(), email: z.string(), name: z.string() },
      role: z.enum(ROLES),
    }),
    needsSecond: async () => false,
    async run({ tx, now }, { tenantId, ...member }, reason) {
      const invited = await inviteOrInviteAgain(tx, { ...peopleOf(tenantId), now }, member)
      const { id, ...after } = invited.person
      const subject = { kind: 'console_person', id }
      const act = { action: 'console.invite' as const, subject, tenantId, reason, after }
      return { result: invited, act }
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
