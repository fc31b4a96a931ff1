import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { lockTenant } from '../auth/queries.ts'
import { readAddress } from '../sign-in/address.ts'
import { type Actor, recordAction } from './actions.ts'
import { invite } from './invitations.ts'
import {
  countAdmins,
  countPeople,
  deleteInvitations,
  insertPerson,
  lockPerson,
  selectPeople,
  selectPersonByEmail,
  updatePersonRemoved,
  updateRole,
} from './people-queries.ts'
import type { Role } from './roles.ts'
import { deletePasskeys } from './sign-in/passkey-queries.ts'
import { endSessions } from './sign-in/sessions.ts'

const MOST = 200
const LOCAL = { email: 'developer@localhost', name: 'Local developer', role: 'admin' } as const

export type Person = { id: string; email: string; name: string; role: Role }

export type ListedPerson = Person & {
  createdAt: Date
  passkeys: number
  lastSeenAt: Date | undefined
}

export type NewMember = { email: string; name: string; role: Role }

export async function listPeople(db: Db, tenantId: string): Promise<ListedPerson[]> {
  const rows = await selectPeople(db, tenantId)
  return rows.map((row) => ({
    ...{ id: row.person_id, email: row.email, name: row.name, role: row.role },
    createdAt: row.created_at,
    passkeys: Number(row.passkeys ?? 0n),
    lastSeenAt: row.seen_at ?? undefined,
  }))
}

/** Returns the person and the token of the invitation. Refuses as `readAddress`, `already_exists` and
 * `limit_reached`. */
export async function addPerson(
  tx: Tx,
  actor: Actor,
  { email: given, name, role }: NewMember,
): Promise<{ person: Person; token: string }> {
  const { tenantId, now } = actor
  const email = readAddress(given)
  await lockPeople(tx, tenantId)
  if (await selectPersonByEmail(tx, tenantId, email)) {
    throw new Refusal('already_exists', `${email} is among the people already.`)
  }
  if ((await countPeople(tx, tenantId)) >= MOST) {
    throw new Refusal('limit_reached', `A tenant can have ${MOST} people; remove one first.`)
  }
  const personId = newId('per')
  await insertPerson(tx, { tenantId, personId, email, name, role, createdAt: now })
  const after = { email, name, role }
  await recordAction(tx, actor, { action: 'invitePerson', subject: personId, after })
  const token = await invite(tx, { tenantId, personId, now }, 'invitation')
  return { person: { id: personId, ...after }, token }
}

/** For one who has lost their passkeys, or whose invitation has expired; earlier ones end. What they
 * had until then ends when they open it. Refuses `not_found`, and as `readAddress`. */
export async function inviteAgain(
  tx: Tx,
  actor: Actor,
  personId: string,
): Promise<{ person: Person; token: string }> {
  const { tenantId, now } = actor
  const person = await getPerson(tx, tenantId, personId)
  readAddress(person.email)
  await deleteInvitations(tx, tenantId, personId)
  await recordAction(tx, actor, { action: 'invitePersonAgain', subject: personId })
  return { person, token: await invite(tx, { tenantId, personId, now }, 'invitation') }
}

/** For the operator, who need not know whether the person is there: their role becomes the given. */
export async function inviteOrInviteAgain(
  tx: Tx,
  actor: Actor,
  member: NewMember,
): Promise<{ person: Person; token: string }> {
  await lockPeople(tx, actor.tenantId)
  const found = await selectPersonByEmail(tx, actor.tenantId, readAddress(member.email))
  if (!found) return await addPerson(tx, actor, member)
  await changeRole(tx, actor, found.person_id, member.role)
  return await inviteAgain(tx, actor, found.person_id)
}

/** Takes effect with the person's next request. Refuses `not_found` and `last_admin`. */
export async function changeRole(
  tx: Tx,
  actor: Actor,
  personId: string,
  role: Role,
): Promise<Person> {
  const { tenantId } = actor
  await lockPeople(tx, tenantId)
  const person = await getPerson(tx, tenantId, personId)
  if (person.role === role) return person
  await assertAdminRemains(tx, tenantId, person)
  await updateRole(tx, tenantId, personId, role)
  await recordAction(tx, actor, {
    action: 'changePerson',
    subject: personId,
    before: { role: person.role },
    after: { role },
  })
  return { ...person, role }
}

/** Ends their sessions, and deletes their passkeys and invitations. Refuses `not_found` and
 * `last_admin`. */
export async function removePerson(tx: Tx, actor: Actor, personId: string): Promise<Person> {
  const { tenantId, now } = actor
  await lockPeople(tx, tenantId)
  const person = await getPerson(tx, tenantId, personId)
  await assertAdminRemains(tx, tenantId, person)
  await updatePersonRemoved(tx, tenantId, personId, now)
  await deletePasskeys(tx, tenantId, personId)
  await deleteInvitations(tx, tenantId, personId)
  const { email, name, role } = person
  await recordAction(tx, actor, {
    action: 'removePerson',
    subject: personId,
    before: { email, name, role },
  })
  await endSessions(tx, actor, personId)
  return person
}

export async function getPerson(tx: Tx, tenantId: string, personId: string): Promise<Person> {
  const row = isId('per', personId) ? await lockPerson(tx, tenantId, personId) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such person.')
  return { id: row.person_id, email: row.email, name: row.name, role: row.role }
}

/** Orders changes of a tenant's people, so that two admins cannot remove each other. */
async function lockPeople(tx: Tx, tenantId: string): Promise<void> {
  if (!(await lockTenant(tx, tenantId))) {
    throw new Refusal('not_found', `There is no tenant ${tenantId}.`)
  }
}

async function assertAdminRemains(tx: Tx, tenantId: string, { role }: Person): Promise<void> {
  if (role !== 'admin' || (await countAdmins(tx, tenantId)) > 1) return
  throw new Refusal('last_admin', 'The last admin stays: make another person an admin first.')
}

/** For a local stack: a link that signs its one developer in. Returns the token. */
export async function inviteLocally(tx: Tx, tenantId: string, now: Date): Promise<string> {
  await lockPeople(tx, tenantId)
  const found = await selectPersonByEmail(tx, tenantId, LOCAL.email)
  const personId = found?.person_id ?? newId('per')
  if (!found) await insertPerson(tx, { ...LOCAL, tenantId, personId, createdAt: now })
  return await invite(tx, { tenantId, personId, now }, 'link')
}
