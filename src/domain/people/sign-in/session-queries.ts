import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'
import {
  type Audience,
  among,
  isPerson,
  type People,
  type PersonKey,
  type TenantPeople,
  tablesOf,
  valuesOf,
} from '../../../db/sql/people-tables.ts'
import type { RoleOf } from '../person.ts'

export type NewSession = {
  sessionId: string
  tokenHash: Buffer
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  createdAt: Date
  /** Since when the youngest credential that led to it is held. Undefined: since ever. */
  heldSince: Date | undefined
  /** When the person last proved again who they are, other than by a passkey. */
  provenAt: Date | undefined
  endsAt: Date | undefined
}

export async function insertSession(tx: Tx, key: PersonKey, session: NewSession): Promise<void> {
  const { sessions, person } = tablesOf(key)
  await sql`
    INSERT INTO ${sessions} (${person}, session_id, token_hash, signed_in_by, must_add_passkey,
      created_at, seen_at, held_since, proven_at, ends_at)
    VALUES (${valuesOf(key)}, ${session.sessionId}, ${session.tokenHash}, ${session.signedInBy},
      ${session.mustAddPasskey}, ${session.createdAt}, ${session.createdAt},
      ${session.heldSince ?? null}, ${session.provenAt ?? null}, ${session.endsAt ?? null})`.execute(
    tx,
  )
}

export type SessionRow<P extends People> = {
  session_id: string
  person_id: string
  token_hash: Buffer
  signed_in_by: SignInMethod
  must_add_passkey: boolean
  created_at: Date
  seen_at: Date
  held_since: Date | null
  proven_at: Date | null
  confirmed_at: Date | null
  ends_at: Date | null
  email: string
  name: string
  role: RoleOf<P>
} & (P extends TenantPeople ? TenantColumns : unknown)

type TenantColumns = {
  tenant_id: string
  tenant_name: string
  suspended_at: Date | null
}

/** With its person, and a tenant's with the tenant. None of a person who was removed. */
export async function selectOpenSession<P extends People>(
  db: Db,
  people: P,
  tokenHash: Buffer,
): Promise<SessionRow<P> | undefined> {
  const { rows } = await sql<SessionRow<P>>`${openSessions(people)}
    AND ${among(people)} AND token_hash = ${tokenHash}`.execute(db)
  return rows[0]
}

/** Sessions of tenants' people. */
export async function selectOpenSessions(
  db: Db,
  tokens: readonly { people: TenantPeople; hash: Buffer }[],
): Promise<SessionRow<TenantPeople>[]> {
  // @across tenants: a browser may be signed in at several.
  const asked = sql`SELECT * FROM unnest(${tokens.map(({ people }) => people.tenantId)}::text[],
    ${tokens.map(({ hash }) => hash)}::bytea[])`
  const { rows } = await sql<SessionRow<TenantPeople>>`${openSessions({ audience: 'tenant' })}
    AND (tenant_id, token_hash) IN (${asked})`.execute(db)
  return rows
}

function openSessions(people: { audience: Audience }) {
  const tables = tablesOf(people)
  const isOfTenants = people.audience === 'tenant'
  const tenantColumns = sql`, tenant_id, t.name AS tenant_name, t.suspended_at`
  return sql`
    SELECT s.session_id, ${tables.personId} AS person_id, s.token_hash, s.signed_in_by,
      s.must_add_passkey, s.created_at, s.seen_at, s.held_since, s.proven_at, s.confirmed_at,
      s.ends_at, p.email, p.name, p.role
      ${isOfTenants ? tenantColumns : sql``}
    FROM ${tables.sessions} s JOIN ${tables.people} p USING (${tables.person})
      ${isOfTenants ? sql`JOIN tenants t USING (tenant_id)` : sql``}
    WHERE s.ended_at IS NULL AND p.removed_at IS NULL`
}

/** Undefined for one that has ended. `ends_at`: a new link replaces it then. */
export async function selectSessionEnd(
  db: Db,
  people: People,
  sessionId: string,
): Promise<{ ends_at: Date | null } | undefined> {
  const { rows } = await sql<{
    ends_at: Date | null
  }>`SELECT ends_at FROM ${tablesOf(people).sessions}
    WHERE ${among(people)} AND session_id = ${sessionId} AND ended_at IS NULL`.execute(db)
  return rows[0]
}

export async function updateSessionSeen(
  db: Db,
  people: People,
  sessionId: string,
  now: Date,
): Promise<void> {
  await sql`UPDATE ${tablesOf(people).sessions} SET seen_at = ${now}
    WHERE ${among(people)} AND session_id = ${sessionId} AND seen_at < ${now}`.execute(db)
}

/** Returns false for one that had ended before. */
export async function updateSessionEnded(
  tx: Tx,
  people: People,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const result = await sql`UPDATE ${tablesOf(people).sessions} SET ended_at = ${now}
    WHERE ${among(people)} AND session_id = ${sessionId} AND ended_at IS NULL`.execute(tx)
  return result.numAffectedRows === 1n
}

/** Returns how many were open. */
export async function updateSessionsEnded(tx: Tx, key: PersonKey, now: Date): Promise<number> {
  const result = await sql`UPDATE ${tablesOf(key).sessions} SET ended_at = ${now}
    WHERE ${isPerson(key)} AND ended_at IS NULL`.execute(tx)
  return Number(result.numAffectedRows)
}

export async function updatePasskeyAdded(tx: Tx, people: People, sessionId: string): Promise<void> {
  await sql`UPDATE ${tablesOf(people).sessions} SET must_add_passkey = false
    WHERE ${among(people)} AND session_id = ${sessionId} AND must_add_passkey`.execute(tx)
}

/** A passkey was given in it: from then on it is held no longer than that passkey is. */
export async function updateSessionConfirmed(
  tx: Tx,
  people: People,
  sessionId: string,
  { now, heldSince }: { now: Date; heldSince: Date | undefined },
): Promise<boolean> {
  const result = await sql`
    UPDATE ${tablesOf(people).sessions}
    SET confirmed_at = ${now}, held_since = greatest(held_since, ${heldSince ?? null}::timestamptz)
    WHERE ${among(people)} AND session_id = ${sessionId} AND ended_at IS NULL`.execute(tx)
  return result.numAffectedRows === 1n
}
