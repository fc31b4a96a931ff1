import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'

export type NewSession = {
  tenantId: string
  sessionId: string
  personId: string
  tokenHash: Buffer
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  createdAt: Date
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await tx
    .insertInto('console_sessions')
    .values({
      tenant_id: session.tenantId,
      session_id: session.sessionId,
      person_id: session.personId,
      token_hash: session.tokenHash,
      signed_in_by: session.signedInBy,
      must_add_passkey: session.mustAddPasskey,
      created_at: session.createdAt,
      seen_at: session.createdAt,
    })
    .execute()
}

/** With its person and tenant. None of a person who was removed. */
export async function selectOpenSession(db: Db, tenantId: string, tokenHash: Buffer) {
  return await openSessions(db)
    .where('s.tenant_id', '=', tenantId)
    .where('s.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

export async function selectOpenSessions(
  db: Db,
  tokens: readonly { tenantId: string; hash: Buffer }[],
) {
  // @across tenants: a browser may be signed in at several.
  const asked = sql`SELECT * FROM unnest(${tokens.map(({ tenantId }) => tenantId)}::text[],
    ${tokens.map(({ hash }) => hash)}::bytea[])`
  return await openSessions(db)
    .where(sql<boolean>`(s.tenant_id, s.token_hash) IN (${asked})`)
    .execute()
}

function openSessions(db: Db) {
  return db
    .selectFrom('console_sessions as s')
    .innerJoin('console_people as p', (join) =>
      join.onRef('p.tenant_id', '=', 's.tenant_id').onRef('p.person_id', '=', 's.person_id'),
    )
    .innerJoin('tenants as t', 't.tenant_id', 's.tenant_id')
    .select([
      's.tenant_id',
      's.session_id',
      's.person_id',
      's.token_hash',
      's.signed_in_by',
      's.must_add_passkey',
      's.created_at',
      's.seen_at',
      'p.email',
      'p.name',
      'p.role',
      't.name as tenant_name',
      't.suspended_at',
      't.move',
    ])
    .where('s.ended_at', 'is', null)
    .where('p.removed_at', 'is', null)
}

export async function isSessionOpen(db: Db, tenantId: string, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('console_sessions')
    .select('session_id')
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateSessionSeen(
  db: Db,
  tenantId: string,
  sessionId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('console_sessions')
    .set({ seen_at: now })
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .where('seen_at', '<', now)
    .execute()
}

export async function updateSessionEnded(
  tx: Tx,
  tenantId: string,
  sessionId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('console_sessions')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

/** Returns how many were open. */
export async function updateSessionsEnded(
  tx: Tx,
  tenantId: string,
  personId: string,
  now: Date,
): Promise<number> {
  const result = await tx
    .updateTable('console_sessions')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('person_id', '=', personId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function updatePasskeyAdded(
  tx: Tx,
  tenantId: string,
  sessionId: string,
): Promise<void> {
  await tx
    .updateTable('console_sessions')
    .set({ must_add_passkey: false })
    .where('tenant_id', '=', tenantId)
    .where('session_id', '=', sessionId)
    .where('must_add_passkey', '=', true)
    .execute()
}
