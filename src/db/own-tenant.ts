import { type RawBuilder, sql } from 'kysely'

/** For a statement over rows of several tenants, or of one: then it names the tenant in every part,
 * which a distributed database needs. Takes the part's table that has the row's tenant. */
export function ownTenant(
  rows: readonly { tenantId: string }[],
): (table: string) => RawBuilder<string> {
  const [tenantId, other] = new Set(rows.map((row) => row.tenantId))
  if (tenantId === undefined || other !== undefined) return (table) => sql.ref(`${table}.tenant_id`)
  return () => sql<string>`${tenantId}`
}
