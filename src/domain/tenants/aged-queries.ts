import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'

/** Tables whose rows are deleted by age alone, by the column that has it. */
const AGES = {
  console_invitations: 'expires_at',
  console_mails: 'asked_at',
  console_sessions: 'created_at',
  failure_notices: 'last_at',
  provider_callbacks: 'received_at',
  recovery_paces: 'forget_at',
  sandbox_calls: 'called_at',
} as const

export type AgedTable = keyof typeof AGES

export async function deleteAgedRows(
  db: Db,
  table: AgedTable,
  before: Date,
  { tenantId, limit }: { tenantId: TenantScope; limit: number },
): Promise<number> {
  const age = sql.ref(AGES[table])
  // @one server: deletes by age, whichever tenants have them.
  // @plan reads console_invitations, console_mails, console_sessions, failure_notices, provider_callbacks, recovery_paces, sandbox_calls: for one tenant, the old rows of others on its node.
  const result = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${inScope(tenantId)} AND ctid = ANY (ARRAY(
      SELECT ctid FROM ${sql.table(table)}
      WHERE ${age} < ${before} AND ${inScope(tenantId)} ORDER BY ${age} LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
}
