import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import {
  among,
  isPerson,
  type People,
  type PersonKey,
  tablesOf,
  valuesOf,
} from '../../db/sql/people-tables.ts'
import type { RoleOf } from './person.ts'

type PersonRow<P extends People> = {
  person_id: string
  email: string
  name: string
  role: RoleOf<P>
}

const columnsOf = (people: { audience: People['audience'] }) =>
  sql`${tablesOf(people).personId} AS person_id, email, name, role`

export async function insertPerson<P extends People>(
  tx: Tx,
  key: PersonKey<P>,
  person: { email: string; name: string; role: RoleOf<P>; createdAt: Date },
): Promise<void> {
  const { people, person: columns } = tablesOf(key)
  await sql`INSERT INTO ${people} (${columns}, email, name, role, created_at)
    VALUES (${valuesOf(key)}, ${person.email}, ${person.name}, ${person.role}, ${person.createdAt})`.execute(
    tx,
  )
}

export async function selectPersonByEmail<P extends People>(
  db: Db,
  people: P,
  email: string,
): Promise<PersonRow<P> | undefined> {
  const { rows } = await sql<PersonRow<P>>`
    SELECT ${columnsOf(people)} FROM ${tablesOf(people).people}
    WHERE ${among(people)} AND email = ${email} AND removed_at IS NULL`.execute(db)
  return rows[0]
}

export async function selectPerson<P extends People>(
  db: Db,
  key: PersonKey<P>,
): Promise<PersonRow<P> | undefined> {
  const { rows } = await sql<PersonRow<P>>`
    SELECT ${columnsOf(key)} FROM ${tablesOf(key).people}
    WHERE ${isPerson(key)} AND removed_at IS NULL`.execute(db)
  return rows[0]
}

/** With how many passkeys each has, and when an open session of theirs was last used. */
export async function selectPeople<P extends People>(db: Db, people: P) {
  const tables = tablesOf(people)
  const { rows } = await sql<
    PersonRow<P> & { created_at: Date; passkeys: bigint; seen_at: Date | null }
  >`
    SELECT ${columnsOf(people)}, created_at, coalesce(passkeys, 0) AS passkeys, seen_at
    FROM ${tables.people}
    LEFT JOIN (
      SELECT ${tables.person}, count(*) AS passkeys FROM ${tables.passkeys}
      WHERE ${among(people)} GROUP BY ${tables.person}
    ) k USING (${tables.person})
    LEFT JOIN (
      SELECT ${tables.person}, max(seen_at) AS seen_at FROM ${tables.sessions}
      WHERE ${among(people)} AND ended_at IS NULL GROUP BY ${tables.person}
    ) s USING (${tables.person})
    WHERE ${among(people)} AND removed_at IS NULL ORDER BY email`.execute(db)
  return rows
}

/** All of them, so that two admins cannot remove each other. */
export async function lockPeople<P extends People>(tx: Tx, people: P): Promise<PersonRow<P>[]> {
  const tables = tablesOf(people)
  const { rows } = await sql<PersonRow<P>>`
    SELECT ${columnsOf(people)} FROM ${tables.people}
    WHERE ${among(people)} AND removed_at IS NULL
    ORDER BY ${tables.personId} FOR NO KEY UPDATE`.execute(tx)
  return rows
}

export async function lockPerson<P extends People>(
  tx: Tx,
  key: PersonKey<P>,
): Promise<PersonRow<P> | undefined> {
  const { rows } = await sql<PersonRow<P>>`
    SELECT ${columnsOf(key)} FROM ${tablesOf(key).people}
    WHERE ${isPerson(key)} AND removed_at IS NULL FOR NO KEY UPDATE`.execute(tx)
  return rows[0]
}

/** Held until the commit: a change of the role waits for what is done under it. Undefined for one
 * who was removed. */
export async function shareRole<P extends People>(
  tx: Tx,
  key: PersonKey<P>,
): Promise<RoleOf<P> | undefined> {
  const { rows } = await sql<{ role: RoleOf<P> }>`
    SELECT role FROM ${tablesOf(key).people}
    WHERE ${isPerson(key)} AND removed_at IS NULL FOR SHARE`.execute(tx)
  return rows[0]?.role
}

export async function updateRole<P extends People>(
  tx: Tx,
  key: PersonKey<P>,
  role: RoleOf<P>,
): Promise<void> {
  await sql`UPDATE ${tablesOf(key).people} SET role = ${role} WHERE ${isPerson(key)}`.execute(tx)
}

export async function updatePersonRemoved(tx: Tx, key: PersonKey, now: Date): Promise<void> {
  await sql`UPDATE ${tablesOf(key).people} SET removed_at = ${now}
    WHERE ${isPerson(key)}`.execute(tx)
}

/** A new link has replaced the identity by which the person signed in at the provider. */
const isReplaced = (now: Date) => sql`coalesce(oidc_ends_at <= ${now}, false)`

/** Whether a person can sign in without a link: by a passkey, the OIDC provider, or a token. */
export async function selectHasCredentials(db: Db, key: PersonKey, now: Date): Promise<boolean> {
  const { people, passkeys } = tablesOf(key)
  const isHeld = sql`(ends_at IS NULL OR ends_at > ${now})`
  const hasToken =
    key.audience === 'lender'
      ? sql`EXISTS (SELECT FROM operator_tokens WHERE ${isPerson(key)}
          AND revoked_at IS NULL AND expires_at > ${now} AND ${isHeld})`
      : sql`false`
  const { rows } = await sql<{ has: boolean }>`
    SELECT oidc_subject IS NOT NULL AND NOT ${isReplaced(now)} OR ${hasToken}
      OR EXISTS (SELECT FROM ${passkeys} WHERE ${isPerson(key)} AND ${isHeld}) AS has
    FROM ${people} WHERE ${isPerson(key)}`.execute(db)
  return rows[0]?.has ?? false
}

/** Returns false for a person who has an identity, unless a new link has replaced it. */
export async function updateSubject(
  tx: Tx,
  key: PersonKey,
  subject: string,
  now: Date,
): Promise<boolean> {
  const result = await sql`UPDATE ${tablesOf(key).people}
    SET oidc_subject = ${subject}, oidc_bound_at = ${now}, oidc_ends_at = NULL
    WHERE ${isPerson(key)} AND (oidc_subject IS NULL OR ${isReplaced(now)})`.execute(tx)
  return result.numAffectedRows === 1n
}

type Binding = {
  oidc_subject: string | null
  /** Null for long ago. */
  oidc_bound_at: Date | null
  oidc_ends_at: Date | null
}

/** The identity by which the person signs in at the provider, one that was replaced too. */
export async function selectBinding(db: Db, key: PersonKey): Promise<Binding | undefined> {
  const { rows } = await sql<Binding>`
    SELECT oidc_subject, oidc_bound_at, oidc_ends_at
    FROM ${tablesOf(key).people} WHERE ${isPerson(key)}`.execute(db)
  return rows[0]
}

/** Where an identity is looked for: a tenant's people, or those of all tenants, or the lender's. */
export type SignInPeople = People | { audience: 'tenant'; tenantId: undefined }

/** Found by the subject of an identity, or by an address of one who belongs to none yet. */
export type IdentityMatch = { subject: string } | { unboundEmail: string }

/** Of people of several tenants, the one whose console they used last, in a session that was not
 * signed out; else the one that invited them first. So no other tenant's invitation changes where they
 * arrive. */
export async function selectPersonByIdentity(
  db: Db,
  people: SignInPeople,
  match: IdentityMatch,
  now: Date,
): Promise<{ tenant_id?: string; person_id: string } | undefined> {
  const tables = tablesOf(people)
  const isFound =
    'subject' in match
      ? sql`oidc_subject = ${match.subject} AND NOT ${isReplaced(now)}`
      : sql`email = ${match.unboundEmail} AND (oidc_subject IS NULL OR ${isReplaced(now)})`
  const isAsked =
    people.audience === 'tenant' && people.tenantId === undefined ? sql`true` : among(people)
  // @across tenants: a sign-in names the person alone.
  const { rows } = await sql<{ tenant_id?: string; operator_id?: string; person_id: string }>`
    SELECT ${tables.person}, ${tables.personId} AS person_id FROM ${tables.people}
    LEFT JOIN (
      SELECT ${tables.person}, seen_at FROM ${tables.sessions} WHERE ended_at IS NULL
    ) s USING (${tables.person})
    WHERE ${isFound} AND ${isAsked} AND removed_at IS NULL
    GROUP BY ${tables.person}, created_at
    ORDER BY max(seen_at) DESC NULLS LAST, created_at, ${tables.personId} LIMIT 1`.execute(db)
  return rows[0]
}
