import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database.ts'
import type { TenantScope } from '../tenant-scope.ts'

/** Tables of which a long statement reads one tenant's rows alone. */
const TABLES = [
  ...['borrowers', 'signatures', 'facilities', 'draws', 'repayments', 'refunds'],
  ...[
    'principal_movements',
    'confirmed_transfers',
    'transfer_claims',
    'journal',
    'journal_entries',
    'unbound_records',
  ],
  ...[
    'facility_corrections',
    'facility_pauses',
    'margin_warnings',
    'margin_raises',
    'margin_notices',
    'margin_receipts',
    'margin_calls',
    'margin_sales',
    'margin_decisions',
    'margin_evaluations',
  ],
  ...['events', 'event_anchors', 'resource_versions', 'tenant_counters', 'tenants'],
  ...['webhooks', 'lanes', 'deliveries', 'delivery_attempts', 'signing_secrets'],
  ...['idempotency_records', 'work', 'sandbox_liens'],
]

/** A statement whose tables hold the rows of one tenant, as if it named the tenant beside each. */
export function ofTenant(
  tx: Tx,
  tenantId: TenantScope,
  statement: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (tenantId === undefined) return statement
  const words = new Set(statement.compile(tx).sql.split(/\W+/))
  // Each costs planning, also where nothing reads it.
  const tables = TABLES.filter((table) => words.has(table)).map(
    (table) => sql`${sql.ref(table)} AS NOT MATERIALIZED (
      SELECT * FROM ${sql.table(table)} WHERE tenant_id = ${tenantId})`,
  )
  return sql`WITH ${sql.join(tables)} SELECT * FROM (${statement}) AS of_tenant`
}
