import { type RawBuilder, sql } from 'kysely'

/** Undefined: all tenants. A distributed database is asked about one at a time. */
export type TenantScope = string | undefined

/** The one tenant of the rows that a statement is given, if they are all of one. */
export function scopeOf(rows: readonly { tenantId: string }[]): TenantScope {
  const [tenantId, other] = new Set(rows.map((row) => row.tenantId))
  return other === undefined ? tenantId : undefined
}

/** Stands in each part of a statement that reads or changes rows of tenants. */
export function inScope(tenantId: TenantScope, column = 'tenant_id'): RawBuilder<boolean> {
  return tenantId === undefined ? sql`true` : sql`${sql.ref(column)} = ${tenantId}`
}

/** The tenant of a row to insert: the scope's, or that of the row it is made from. */
export function tenantOf(tenantId: TenantScope, column: string): RawBuilder<string> {
  return tenantId === undefined ? sql.ref(column) : sql`${tenantId}`
}
