import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

/** Secrets: they are of no use outside the service, or let someone in. */
const SECRET_TABLES = [
  ...['console_invitations', 'console_passkeys', 'console_sessions'],
  'signing_secrets',
]

/** Tables with rows of tenants, by name; a new one is among them by itself. */
export async function selectExportedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
      AND NOT c.relispartition AND NOT c.relname = ANY (${SECRET_TABLES})
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id')
    ORDER BY 1`.execute(db)
  return rows.map(({ name }) => name)
}

const ROWS_AT_ONCE = 500

/** The tenant's rows of a table as JSON texts, some at a time. Numbers are exact as text. */
export async function readTable(
  tx: Tx,
  tenantId: string,
  table: string,
  take: (rows: readonly string[]) => void,
): Promise<void> {
  // @plan reads everything: an export is all of a tenant's rows.
  await sql`
    DECLARE exported CURSOR FOR SELECT to_jsonb(t)::text AS row FROM ${sql.table(table)} t
    WHERE tenant_id = ${tenantId}`.execute(tx)
  for (;;) {
    const fetch = sql<{ row: string }>`FETCH ${sql.lit(ROWS_AT_ONCE)} FROM exported`
    const { rows } = await fetch.execute(tx)
    take(rows.map(({ row }) => row))
    if (rows.length < ROWS_AT_ONCE) break
  }
  await sql`CLOSE exported`.execute(tx)
}

/** The number of the tenant's last event. */
export async function selectLastSequence(db: Db, tenantId: string): Promise<bigint> {
  const row = await db
    .selectFrom('tenant_counters')
    .select('last_sequence')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return row.last_sequence
}

export async function updateExported(db: Db, tenantId: string, sequence: bigint): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ exported_sequence: sequence })
    .where('tenant_id', '=', tenantId)
    .execute()
}
