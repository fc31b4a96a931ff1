import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { anyOf } from '../../db/sql/planned-once.ts'
import { builtOnce, type RowOf } from '../../db/transactions/built-once.ts'
import type { FacilityIds } from './warning-queries.ts'

const LIVE = ['PENDING', 'SELLING'] as const

export const selectLiveCalls = builtOnce((db, { tenantId, ids }: FacilityIds) =>
  db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(ids))
    .where(
      'status',
      'in',
      LIVE.map((status) => sql.lit(status)),
    ),
)

/** `oldest` is in milliseconds by the tenant's clock, of those that no hold stops; null without one. */
export async function selectLiveTotals(
  db: Db,
  realNow: Date,
): Promise<{ running: number; oldest: bigint | null }> {
  // @across tenants: a measure of all.
  // @plan reads margin_calls, facilities: all that are live, and theirs.
  const { rows } = await sql<{ running: number; oldest: bigint | null }>`
    SELECT count(*)::int AS running,
      trunc(max(extract(epoch FROM ${realNow}::timestamptz - c.created_at) * 1000
        + t.clock_offset_ms) FILTER (WHERE f.held_since IS NULL)) AS oldest
    FROM margin_calls c JOIN tenants t ON t.tenant_id = c.tenant_id
    JOIN facilities f ON f.tenant_id = c.tenant_id AND f.facility_id = c.facility_id
    WHERE c.status IN ('PENDING', 'SELLING')`.execute(db)
  return rows[0] ?? { running: 0, oldest: null }
}

export type LiveCall = RowOf<typeof selectLiveCalls>

export type NewCall = { facilityId: string; number: number; marginWarningNumber: number }

export async function insertCalls(
  tx: Tx,
  tenantId: string,
  calls: readonly NewCall[],
  createdAt: Date,
): Promise<void> {
  if (calls.length === 0) return
  await sql`
    INSERT INTO margin_calls (tenant_id, status, created_at, facility_id, number, margin_warning_number)
    SELECT ${tenantId}, 'PENDING', ${createdAt}, * FROM unnest(
      ${calls.map((call) => call.facilityId)}::text[], ${calls.map((call) => call.number)}::int[],
      ${calls.map((call) => call.marginWarningNumber)}::int[])
  `.execute(tx)
}

export async function selectCall(db: Db, tenantId: string, facilityId: string, number: number) {
  return await db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function selectCalls(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: number | undefined; limit: number },
) {
  let query = db
    .selectFrom('margin_calls')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('number', '<', page.before)
  return await query.orderBy('number', 'desc').limit(page.limit).execute()
}

/** Throws unless the call is still live. */
export async function updateLiveCall(
  tx: Tx,
  tenantId: string,
  { facility_id: facilityId, number }: Pick<LiveCall, 'facility_id' | 'number'>,
  change: Updateable<Tables['margin_calls']>,
): Promise<void> {
  const result = await tx
    .updateTable('margin_calls')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .where('status', 'in', ['PENDING', 'SELLING'])
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) {
    throw new Error(`call ${facilityId}/${number} changed under its lock`)
  }
}

const SALE = [
  ...(['tenant_id', 'facility_id', 'call_number', 'number', 'asset', 'ordered_units'] as const),
  ...(['in_kind', 'status', 'ordered_at', 'acknowledged_at', 'recalled_at'] as const),
  ...(['filled_units', 'proceeds_cents', 'costs_cents', 'executed_at'] as const),
] as const

export async function selectSales(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  callNumbers: readonly number[],
) {
  return await db
    .selectFrom('margin_sales')
    .select(SALE)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .where('call_number', '=', sql<number>`ANY (${[...callNumbers]}::int[])`)
    .orderBy('facility_id')
    .orderBy('call_number')
    .orderBy('number')
    .execute()
}

/** Selects the plan of each order, and the debt that its proceeds were applied to. */
export async function selectSaleRecords(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  callNumbers: readonly number[],
) {
  return await db
    .selectFrom('margin_sales')
    .select(['facility_id', 'call_number', 'number', 'plan', 'booking'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .where('call_number', '=', sql<number>`ANY (${[...callNumbers]}::int[])`)
    .execute()
}

export type Sale = Awaited<ReturnType<typeof selectSales>>[number]

export async function insertSale(tx: Tx, row: Insertable<Tables['margin_sales']>): Promise<void> {
  await tx.insertInto('margin_sales').values(row).execute()
}

export type SaleKey = { tenantId: string; facilityId: string; callNumber: number; number: number }

export async function acknowledgeSale(db: Db, key: SaleKey, now: Date): Promise<void> {
  await db
    .updateTable('margin_sales')
    .set({ acknowledged_at: sql<Date>`greatest(ordered_at, ${now}::timestamptz)` })
    .where('tenant_id', '=', key.tenantId)
    .where('facility_id', '=', key.facilityId)
    .where('call_number', '=', key.callNumber)
    .where('number', '=', key.number)
    .where('acknowledged_at', 'is', null)
    .execute()
}

/** From then on only the cancellation of the order is called. */
export async function recallOrders(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('margin_sales')
    .set({ recalled_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'ORDERED')
    .where('recalled_at', 'is', null)
    .execute()
}

/** False when it was settled before. */
export async function updateOrderedSale(
  tx: Tx,
  key: SaleKey,
  change: Updateable<Tables['margin_sales']>,
): Promise<boolean> {
  const result = await tx
    .updateTable('margin_sales')
    .set(change)
    .where('tenant_id', '=', key.tenantId)
    .where('facility_id', '=', key.facilityId)
    .where('call_number', '=', key.callNumber)
    .where('number', '=', key.number)
    .where('status', '=', 'ORDERED')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
