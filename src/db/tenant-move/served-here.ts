import { sql } from 'kysely'

/** Not of a tenant that is leaving for another cell or arriving from one. `tenant` is a column. */
export function isServedHere(tenant: string) {
  return sql<boolean>`NOT EXISTS (
    SELECT FROM tenants away WHERE away.tenant_id = ${sql.ref(tenant)} AND away.move IS NOT NULL)`
}
