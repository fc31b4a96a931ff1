import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Tables that no tenant's rows are in, by the column that has their age. */
const AGES = {
  asked_addresses: 'asked_at',
  console_challenges: 'expires_at',
  operator_challenges: 'expires_at',
  operator_invitations: 'expires_at',
  operator_mails: 'asked_at',
  operator_sessions: 'created_at',
} as const

export async function deleteRowsBefore(
  db: Db,
  table: keyof typeof AGES,
  before: Date,
  limit: number,
): Promise<number> {
  const age = sql.ref(AGES[table])
  const result = await sql`
    DELETE FROM ${sql.table(table)} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)} WHERE ${age} < ${before} ORDER BY ${age} LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
