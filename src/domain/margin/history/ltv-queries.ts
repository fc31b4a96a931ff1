import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { inScope, scopeOf, type TenantScope, tenantOf } from '../../../db/tenant-scope.ts'
import type { Pass } from '../stress/book-terms.ts'
import { valuesAt } from '../stress/outcome-queries.ts'

/** Of tenants that have none yet. */
export async function insertRounds(db: Db, tenantId: TenantScope): Promise<void> {
  // @one server: new tenants are few.
  await sql`
    INSERT INTO ltv_rounds (tenant_id, hour)
    SELECT tenant_id, to_timestamp(0) FROM tenants t
    WHERE ${inScope(tenantId, 't.tenant_id')}
      AND NOT EXISTS (SELECT FROM ltv_rounds r WHERE r.tenant_id = t.tenant_id)
    ON CONFLICT (tenant_id) DO NOTHING`.execute(db)
}

export async function selectRounds(
  db: Db,
  tenantId: TenantScope,
): Promise<{ tenantId: string; hour: Date }[]> {
  // @one server: finds those whose hour has passed.
  const rows = await db
    .selectFrom('ltv_rounds')
    .select(['tenant_id', 'hour'])
    .where(inScope(tenantId))
    .execute()
  return rows.map((row) => ({ tenantId: row.tenant_id, hour: row.hour }))
}

export async function lockRounds(
  tx: Tx,
  tenantIds: readonly string[],
): Promise<{ tenantId: string; hour: Date }[]> {
  // @one server: a batch of tenants together.
  const [tenantId, other] = tenantIds
  const rows = await tx
    .selectFrom('ltv_rounds')
    .select(['tenant_id', 'hour'])
    .where('tenant_id', '=', sql<string>`ANY (${[...tenantIds]})`)
    .where(inScope(other === undefined ? tenantId : undefined))
    .orderBy('tenant_id')
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  return rows.map((row) => ({ tenantId: row.tenant_id, hour: row.hour }))
}

export async function updateRounds(
  tx: Tx,
  rounds: readonly { tenantId: string; hour: Date }[],
): Promise<void> {
  // @one server: a batch of tenants together.
  await sql`
    UPDATE ltv_rounds r SET hour = taken.hour
    FROM unnest(${rounds.map(({ tenantId }) => tenantId)}::text[],
                ${rounds.map(({ hour }) => hour)}::timestamptz[]) AS taken (tenant_id, hour)
    WHERE r.tenant_id = taken.tenant_id AND ${inScope(scopeOf(rounds), 'r.tenant_id')}`.execute(tx)
}

/** A point of each facility with debt or collateral, but of those valued at old prices. Of the
 * tenants in `newDay` the point of the day too. */
export async function insertPoints(
  tx: Tx,
  book: Pass,
  takenAt: Date,
  newDay: readonly string[],
): Promise<void> {
  tx.limitStatements(60)
  const scope = scopeOf(book.markets)
  // @one server: the book of a batch of tenants at once.
  // @plan reads facilities, portfolios, custodian_positions: all have a point.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: as every pass.
  await sql`
    WITH hours AS (
      INSERT INTO facility_ltv_hours
        (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents)
      SELECT ${tenantOf(scope, 'tenant_id')}, facility_id, now, ${takenAt}::timestamptz, debt, value
      FROM (${valuesAt(book.markets, book.terms, sql`true`)}) book
      WHERE (debt > 0 OR value > 0) AND NOT is_stale
      RETURNING tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents
    )
    INSERT INTO facility_ltv_days (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents)
    SELECT ${tenantOf(scope, 'tenant_id')}, facility_id, at, taken_at, debt_cents, collateral_cents
    FROM hours WHERE tenant_id = ANY (${[...newDay]}::text[])`.execute(tx)
}

export type LtvPoint = { at: Date; debtCents: bigint; collateralCents: bigint }

export async function selectPoints(
  db: Db,
  table: 'facility_ltv_hours' | 'facility_ltv_days',
  facility: { tenantId: string; facilityId: string },
  stretch: { from: Date; to: Date; limit: number },
): Promise<LtvPoint[]> {
  const rows = await db
    .selectFrom(table)
    .select(['at', 'debt_cents', 'collateral_cents'])
    .where('tenant_id', '=', facility.tenantId)
    .where('facility_id', '=', facility.facilityId)
    .where('at', '>=', stretch.from)
    .where('at', '<=', stretch.to)
    .orderBy('at', 'desc')
    .limit(stretch.limit)
    .execute()
  return rows
    .map((row) => ({
      at: row.at,
      debtCents: row.debt_cents,
      collateralCents: row.collateral_cents,
    }))
    .reverse()
}
