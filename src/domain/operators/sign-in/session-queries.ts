import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { SignInMethod } from '../../../db/schema/console.ts'

export type NewOperatorSession = {
  sessionId: string
  operatorId: string
  tokenHash: Buffer
  signedInBy: SignInMethod
  mustAddPasskey: boolean
  createdAt: Date
}

export async function insertOperatorSession(tx: Tx, session: NewOperatorSession): Promise<void> {
  await tx
    .insertInto('operator_sessions')
    .values({
      session_id: session.sessionId,
      operator_id: session.operatorId,
      token_hash: session.tokenHash,
      signed_in_by: session.signedInBy,
      must_add_passkey: session.mustAddPasskey,
      created_at: session.createdAt,
      seen_at: session.createdAt,
    })
    .execute()
}

/** With the operator as they are now. None of one who was removed. */
export async function selectOpenOperatorSession(db: Db, tokenHash: Buffer) {
  return await db
    .selectFrom('operator_sessions as s')
    .innerJoin('operators as o', 'o.operator_id', 's.operator_id')
    .select([
      's.session_id',
      's.signed_in_by',
      's.must_add_passkey',
      's.created_at',
      's.seen_at',
      'o.operator_id',
      'o.email',
      'o.name',
      'o.role',
    ])
    .where('s.token_hash', '=', tokenHash)
    .where('s.ended_at', 'is', null)
    .where('o.removed_at', 'is', null)
    .executeTakeFirst()
}

export async function isOperatorSessionOpen(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('operator_sessions')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateOperatorSessionSeen(
  db: Db,
  sessionId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('operator_sessions')
    .set({ seen_at: now })
    .where('session_id', '=', sessionId)
    .where('seen_at', '<', now)
    .execute()
}

/** Returns false for one that had ended before. */
export async function updateOperatorSessionEnded(
  tx: Tx,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('operator_sessions')
    .set({ ended_at: now })
    .where('session_id', '=', sessionId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Returns how many were open. */
export async function updateOperatorSessionsEnded(
  tx: Tx,
  operatorId: string,
  now: Date,
): Promise<number> {
  const result = await tx
    .updateTable('operator_sessions')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function updateOperatorPasskeyAdded(tx: Tx, sessionId: string): Promise<void> {
  await tx
    .updateTable('operator_sessions')
    .set({ must_add_passkey: false })
    .where('session_id', '=', sessionId)
    .where('must_add_passkey', '=', true)
    .execute()
}

export async function deleteOperatorSessionsBefore(
  db: Db,
  before: Date,
  limit: number,
): Promise<number> {
  const result = await sql`
    DELETE FROM operator_sessions WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM operator_sessions
      WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
