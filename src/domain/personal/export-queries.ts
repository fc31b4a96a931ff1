import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export type ExportedRow = Record<string, unknown>

/** The key opens nothing outside; answers repeat what other tables have. */
const LEFT_OUT = ['borrower_keys', 'idempotency_records']

export type BorrowerTable = { name: string; ofBorrower: boolean }

/** Tables with rows about a borrower or a facility, by name; a new one is among them by itself. */
export async function selectTablesOfBorrowers(db: Db): Promise<BorrowerTable[]> {
  const { rows } = await sql<BorrowerTable>`
    SELECT c.relname AS name, bool_or(a.attname = 'borrower_id') AS "ofBorrower"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      AND a.attname IN ('borrower_id', 'facility_id')
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND c.relname <> ALL (${LEFT_OUT})
      AND EXISTS (SELECT FROM pg_attribute t WHERE t.attrelid = c.oid AND t.attname = 'tenant_id')
    GROUP BY c.relname ORDER BY 1`.execute(db)
  return rows
}

/** Numbers are exact as text. */
export async function selectRowsOf(
  tx: Tx,
  tenantId: string,
  { name, ofBorrower }: BorrowerTable,
  { borrowerId, facilityIds }: { borrowerId: string; facilityIds: readonly string[] },
): Promise<ExportedRow[]> {
  // @plan reads everything: an export is all of a borrower's rows.
  const condition = ofBorrower
    ? sql`borrower_id = ${borrowerId}`
    : sql`facility_id = ANY (${facilityIds}::text[])`
  const { rows } = await sql<{ row: string }>`
    SELECT to_jsonb(t)::text AS row FROM ${sql.table(name)} t
    WHERE tenant_id = ${tenantId} AND ${condition} ORDER BY t`.execute(tx)
  return rows.map(({ row }) => JSON.parse(row, keepDigits) as ExportedRow)
}

/** Rows of the acts that operators did and proposed about the borrower. */
export async function selectRecordOf(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<ExportedRow[]> {
  // @plan reads operator_actions: those of one tenant, for an export.
  const { rows } = await sql<{ row: ExportedRow }>`
    SELECT to_jsonb(a) - 'previous_hash' AS row FROM operator_actions a
    WHERE tenant = ${tenantId} AND borrower_id = ${borrowerId} ORDER BY number`.execute(tx)
  return rows.map(({ row }) => row)
}

/** An amount may have more digits than a double. */
function keepDigits(_member: string, value: unknown, context?: { source?: string }): unknown {
  const isLarge = typeof value === 'number' && !Number.isSafeInteger(value) && context?.source
  return isLarge ? context.source : value
}
