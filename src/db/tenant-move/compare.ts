import pg from 'pg'
import type { CopyFor } from './copy.ts'
import type { TenantTable } from './tables.ts'

/** What each cell writes by itself. */
const OWN: Readonly<Record<string, string>> = {
  tenants: 'move',
  work: 'ready',
  webhook_dues: 'due_at',
  api_keys: 'last_used_at',
  console_sessions: 'seen_at',
}

/** Names of tables of which the two databases do not have the same rows of the tenant, counted and
 * by a digest of every value. `tables` of a source that held the tenant meanwhile. */
export async function findDifferences(copy: CopyFor): Promise<string[]> {
  const different: string[] = []
  for (const table of copy.tables) {
    // Answers of the source since are logged there alone.
    if (table.name === 'request_log') continue
    const [ours, theirs] = await Promise.all([
      digestOf(copy.source, table, copy.tenantId),
      digestOf(copy.target, table, copy.tenantId),
    ])
    if (ours !== theirs) different.push(table.name)
  }
  return different
}

async function digestOf(
  client: pg.ClientBase,
  { name, columns }: TenantTable,
  tenantId: string,
): Promise<string> {
  const values = columns
    .filter((column) => column !== OWN[name])
    .map((column) => pg.escapeIdentifier(column))
  const { rows } = await client.query<{ digest: string }>(
    `SELECT count(*) || ' ' || coalesce(sum(
       ('x' || left(md5(ROW(${values.join(', ')})::text), 15))::bit(60)::bigint), 0) AS digest
     FROM ${pg.escapeIdentifier(name)} WHERE tenant_id = $1`,
    [tenantId],
  )
  return rows[0]?.digest ?? ''
}
