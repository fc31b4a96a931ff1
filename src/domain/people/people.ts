import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { lockTenant } from '../auth/queries.ts'
import { type Actor, type ConsoleAction, recordAction } from '../console/actions.ts'
import { mailAboutAccount } from '../mails/account-mails.ts'
import { foldAddress, readAddress } from './address.ts'
import { assertMayInvite } from './links/invitation-pace.ts'
import { endAccess, invite } from './links/invitations.ts'
import {
  insertPerson,
  lockPeople,
  selectHasCredentials,
  selectPeople,
  selectPerson,
  selectPersonByEmail,
  updatePersonRemoved,
  updateRole,
} from './people-queries.ts'
import {
  type LenderPeople,
  type People,
  type Person,
  type PersonKey,
  type RoleOf,
  type TenantPeople,
  toPerson,
} from './person.ts'

/** Each has a session, and a bucket of the class Console: a tenant needs no more to see to its loans. */
export const PEOPLE_OF_A_TENANT = 50

const KINDS = {
  tenant: { id: 'per', most: PEOPLE_OF_A_TENANT },
  lender: { id: 'opr', most: 100 },
} as const

/** Who changes people: in a tenant's record it is written here; what is done with the lender's people
 * the caller records. */
export type Changing = ((TenantPeople & Actor) | (LenderPeople & { now: Date })) & {
  /** The system's user, at the command line. */
  isTrusted?: boolean
}

export type ListedPerson<P extends People> = Person<P> & {
  createdAt: Date
  passkeys: number
  /** In a session that has not been signed out. */
  lastSeenAt: Date | undefined
}

export type NewPerson<P extends People> = Omit<Person<P>, 'id'>

/** The person with this e-mail address. */
export async function listPeople<P extends People>(db: Db, people: P): Promise<ListedPerson<P>[]> {
  return (await selectPeople(db, people)).map((row) => ({
    ...toPerson(row),
    createdAt: row.created_at,
    passkeys: Number(row.passkeys),
    lastSeenAt: row.seen_at ?? undefined,
  }))
}

/** Undefined for one who was removed too. */
export async function findPerson<P extends People>(
  db: Db,
  people: P,
  email: string,
): Promise<Person<P> | undefined> {
  const row = await selectPersonByEmail(db, people, foldAddress(email))
  return row && toPerson(row)
}

/** Refuses `not_found`, for one who was removed too. */
export async function getPerson<P extends People>(db: Db, key: PersonKey<P>): Promise<Person<P>> {
  const { id } = KINDS[key.audience]
  const row = isId(id, key.personId) ? await selectPerson(db, key) : undefined
  if (!row) throw unknownPerson(key.personId)
  return toPerson(row)
}

/** Returns the person and the token of the invitation. Refuses as `readAddress`, `already_exists` and
 * `limit_reached`. */
export async function addPerson<C extends Changing>(
  tx: Tx,
  changing: C,
  given: NoInfer<NewPerson<C>>,
): Promise<{ person: Person<C>; token: string }> {
  const others = await lockAll(tx, changing)
  return await add(tx, changing, given, others)
}

async function add<C extends Changing>(
  tx: Tx,
  changing: C,
  given: NoInfer<NewPerson<C>>,
  others: readonly Person<C>[],
): Promise<{ person: Person<C>; token: string }> {
  const { id: prefix, most } = KINDS[changing.audience]
  const after = { email: readAddress(given.email), name: given.name, role: given.role }
  if (others.some(({ email }) => email === after.email)) {
    throw new Refusal('already_exists', `${after.email} is among the people already.`)
  }
  if (others.length >= most) {
    throw new Refusal('limit_reached', `There can be ${most} people; remove one first.`)
  }
  if (changing.audience === 'tenant') await assertMayInvite(tx, changing)
  const key = keyIn(changing, newId(prefix))
  await insertPerson(tx, key, { ...after, createdAt: changing.now })
  await record(tx, changing, { action: 'invitePerson', subject: key.personId, after })
  const token = await invite(tx, key, linkOf(changing))
  return { person: { id: key.personId, ...after }, token }
}

/** For one who has lost their passkeys, or whose invitation has expired; earlier ones end. What they
 * had until then ends a day later, if they open it. Refuses `not_found`, and as `readAddress`. */
export async function inviteAgain<C extends Changing>(
  tx: Tx,
  changing: C,
  personId: string,
): Promise<{ person: Person<C>; token: string }> {
  const key = keyIn(changing, personId)
  const person = await getPerson<C>(tx, key)
  readAddress(person.email)
  if (changing.audience === 'tenant') await assertMayInvite(tx, changing)
  await record(tx, changing, { action: 'invitePersonAgain', subject: personId })
  const event = changing.isTrusted ? 'link_made_by_owner' : 'link_made'
  await mailAboutAccount(tx, keyIn<People>(changing, personId), { event }, changing.now)
  return { person, token: await invite(tx, key, linkOf(changing)) }
}

/** For one who need not know whether the person is there: their role becomes the given. */
export async function inviteOrInviteAgain<C extends Changing>(
  tx: Tx,
  changing: C,
  given: NoInfer<NewPerson<C>>,
): Promise<{ person: Person<C>; before: Person<C> | undefined; token: string }> {
  const email = readAddress(given.email)
  const others = await lockAll(tx, changing)
  const before = others.find((person) => person.email === email)
  if (changing.isTrusted) await mailOthers(tx, changing, others, before?.id)
  if (!before) return { ...(await add(tx, changing, given, others)), before }
  await changeRole(tx, changing, before.id, given.role)
  return { ...(await inviteAgain(tx, changing, before.id)), before }
}

/** Whether there is a person with this address who can sign in without a link: by a passkey, the OIDC
 * provider, or a token. It stays so until the commit. Refuses `not_found` for an unknown tenant. */
export async function lockWhetherCanSignIn(
  tx: Tx,
  people: People,
  { email, now }: { email: string; now: Date },
): Promise<boolean> {
  const address = foldAddress(email)
  const found = (await lockAll(tx, people)).find((person) => person.email === address)
  return found !== undefined && (await selectHasCredentials(tx, keyIn(people, found.id), now))
}

/** Takes effect with the person's next request. Refuses `not_found` and `last_admin`. */
export async function changeRole<C extends Changing>(
  tx: Tx,
  changing: C,
  personId: string,
  role: RoleOf<C>,
): Promise<{ person: Person<C>; before: Person<C> }> {
  const all = await lockAll(tx, changing)
  const before = all.find(({ id }) => id === personId)
  if (!before) throw unknownPerson(personId)
  if (before.role === role) return { person: before, before }
  assertAdminRemains(changing, all, before)
  await updateRole(tx, keyIn(changing, personId), role)
  await record(tx, changing, {
    action: 'changePerson',
    subject: personId,
    before: { role: before.role },
    after: { role },
  })
  const key = keyIn<People>(changing, personId)
  await mailAboutAccount(tx, key, { event: 'role_changed' }, changing.now)
  return { person: { ...before, role }, before }
}

/** Ends their sessions, and deletes their passkeys and invitations. Refuses `not_found` and
 * `last_admin`. */
export async function removePerson<C extends Changing>(
  tx: Tx,
  changing: C,
  personId: string,
): Promise<Person<C>> {
  const all = await lockAll(tx, changing)
  const person = all.find(({ id }) => id === personId)
  if (!person) throw unknownPerson(personId)
  assertAdminRemains(changing, all, person)
  await endPerson(tx, changing, person)
  return person
}

/** All people of a tenant, the last admin too: the tenant is closed. Returns how many there were. */
export async function removeEveryone(tx: Tx, changing: TenantPeople & Actor): Promise<number> {
  const all = await lockAll(tx, changing)
  for (const person of all) await endPerson(tx, changing, person)
  return all.length
}

async function endPerson<C extends Changing>(
  tx: Tx,
  changing: C,
  person: Person<C>,
): Promise<void> {
  const key = keyIn(changing, person.id)
  await updatePersonRemoved(tx, key, changing.now)
  const { sessions } = await endAccess(tx, key, changing.now)
  const { id: subject, ...before } = person
  await record(tx, changing, { action: 'removePerson', subject, before })
  const after = { sessions_ended: sessions }
  await record(tx, changing, { action: 'signOutEverywhere', subject, after })
}

/** Orders changes of a tenant's people, or of the lender's, so that two admins cannot remove each
 * other. */
async function lockAll<P extends People>(tx: Tx, people: P): Promise<Person<P>[]> {
  if (people.audience === 'tenant' && !(await lockTenant(tx, people.tenantId))) {
    throw new Refusal('not_found', `There is no open tenant ${people.tenantId}.`)
  }
  // The second sees whom another added while the first waited for them.
  if (people.audience === 'lender') await lockPeople(tx, people)
  return (await lockPeople(tx, people)).map(toPerson)
}

/** The last of the lender's people may go: the next one is invited by the system's user. */
function assertAdminRemains(people: People, all: readonly Person[], changed: Person): void {
  const others = all.filter(({ id }) => id !== changed.id)
  if (changed.role !== 'admin' || others.some(({ role }) => role === 'admin')) return
  if (people.audience === 'lender' && others.length === 0) return
  throw new Refusal('last_admin', 'The last admin stays: make another person an admin first.')
}

/** A link of the system's user starts no wait: the other operators get a notice. */
async function mailOthers(
  tx: Tx,
  changing: Changing,
  others: readonly Person[],
  subjectId: string | undefined,
): Promise<void> {
  if (changing.audience === 'tenant') return
  const about = { event: 'link_made_for_other' as const, ...(subjectId && { subjectId }) }
  for (const { id } of others.filter((other) => other.id !== subjectId)) {
    await mailAboutAccount(tx, keyIn(changing, id), about, changing.now)
  }
}

async function record(tx: Tx, changing: Changing, action: ConsoleAction): Promise<void> {
  if (changing.audience === 'tenant') await recordAction(tx, changing, action)
}

const linkOf = ({ now, isTrusted = false }: Changing) =>
  ({ kind: 'invitation', isTrusted, now }) as const

function keyIn<P extends People>(people: P, personId: string): PersonKey<P> {
  return { ...people, personId }
}

export function unknownPerson(name: string): Refusal {
  return new Refusal('not_found', `There is no person ${name}.`)
}

const LOCAL = {
  tenant: { email: 'developer@localhost', name: 'Local developer', role: 'admin' },
  lender: { email: 'operator@localhost', name: 'Local operator', role: 'admin' },
} as const

/** For a local stack: a link that signs its one person in, of the demo's tenant or of the lender.
 * Returns the token. */
export async function inviteLocally(tx: Tx, people: People, now: Date): Promise<string> {
  const known = await lockAll(tx, people)
  const local = LOCAL[people.audience]
  const found = known.find(({ email }) => email === local.email)
  const key = keyIn(people, found?.id ?? newId(KINDS[people.audience].id))
  if (!found) await insertPerson(tx, key, { ...local, createdAt: now })
  return await invite(tx, key, { kind: 'link', isTrusted: true, now })
}
