import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type AnswerRow = {
  fingerprint: Buffer
  status: number
  /** Null: it held a secret. */
  body: string | null
}

/** The answer is of just before the lock; one committed between is caught by the primary key. */
export async function tryLockAnswer(
  tx: Tx,
  operatorId: string,
  key: string,
): Promise<{ acquired: boolean; answer: AnswerRow | undefined }> {
  const { rows } = await sql<{ acquired: boolean } & Partial<AnswerRow>>`
    SELECT l.acquired, a.fingerprint, a.status, a.body
    FROM (SELECT pg_try_advisory_xact_lock(hashtextextended(${`${operatorId}/${key}`}, 0)) AS acquired) l
    LEFT JOIN operator_answers a ON a.operator_id = ${operatorId} AND a.key = ${key}::uuid
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the advisory lock query returned no row')
  return { acquired: row.acquired, answer: row.fingerprint ? (row as AnswerRow) : undefined }
}

export async function selectAnswer(
  db: Db,
  operatorId: string,
  key: string,
): Promise<AnswerRow | undefined> {
  return await db
    .selectFrom('operator_answers')
    .select(['fingerprint', 'status', 'body'])
    .where('operator_id', '=', operatorId)
    .where('key', '=', key)
    .executeTakeFirst()
}

export function insertAnswer(
  tx: Tx,
  given: { operatorId: string; key: string; recordedAt: Date },
  answer: AnswerRow,
): void {
  const row = { operator_id: given.operatorId, key: given.key, recorded_at: given.recordedAt }
  tx.send(tx.insertInto('operator_answers').values({ ...row, ...answer }))
}

export async function deleteAnswersBefore(db: Db, before: Date, limit: number): Promise<number> {
  const result = await sql`
    DELETE FROM operator_answers WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM operator_answers
      WHERE recorded_at < ${before} ORDER BY recorded_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
