import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'

/** How many rows each table holds, and a hash of them all. */
export type Snapshot = Record<string, string>

/** Of every table, but what any request leaves behind: its entry in the log and the use of its key.
 * Of the rows of one tenant alone, if one is given, in those that have tenants. */
export async function takeSnapshot(db: Db, tenantId?: string): Promise<Snapshot> {
  const { rows: tables } = await sql<{ name: string; has_tenant: boolean }>`
    SELECT c.relname AS name, EXISTS (SELECT FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attname = 'tenant_id') AS has_tenant
    FROM pg_class c
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT relispartition
      AND c.relname <> 'request_log'
    ORDER BY 1`.execute(db)
  const wanted = tables.filter(({ has_tenant: has }) => has || tenantId === undefined)
  const snapshot: Snapshot = {}
  for (const { name } of wanted) {
    const own = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
    const { rows } = await sql<{ count: bigint; hash: string }>`
      SELECT count(*), md5(coalesce(string_agg(r::text, '|' ORDER BY r::text), '')) AS hash
      FROM (SELECT to_jsonb(t) - 'last_used_at' AS r FROM ${sql.table(name)} t WHERE ${own})`.execute(
      db,
    )
    snapshot[name] = rows.map(({ count, hash }) => `${count} ${hash}`).join()
  }
  return snapshot
}
