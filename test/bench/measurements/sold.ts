import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { selectSold } from '../../../src/domain/facilities/custody/holding-queries.ts'
import { p99AtMost } from '../aims.ts'
import { addFacilities, type SeededFacility } from '../data/facilities-data.ts'
import { seedWebhooks } from '../data/webhook-data.ts'
import { percentile, type Row } from '../report.ts'

/** As many as are evaluated in one transaction. */
const BATCH = 500

export type SoldSizes = { facilities: number; batches: number }

/** What was sold of 500 borrowers, read where a fifth of all facilities of a tenant was sold. */
export async function measureSold(db: Db, sizes: SoldSizes): Promise<Row> {
  const { tenantId } = await seedWebhooks(db, 1, 1)
  const facilities = await addFacilities(db, tenantId, sizes.facilities)
  const sold = facilities.filter((_, at) => at % 5 === 0)
  await addSales(db, tenantId, sold)
  await sql`VACUUM (ANALYZE) facilities, portfolios, margin_sales`.execute(db)
  const waits: number[] = []
  for (let batch = 0; batch < sizes.batches; batch += 1) {
    const from = Math.floor(Math.random() * (facilities.length - BATCH))
    const borrowerIds = facilities.slice(from, from + BATCH).map(({ borrowerId }) => borrowerId)
    const startedAt = performance.now()
    const rows = await selectSold(db, { tenantId, borrowerIds })
    waits.push(performance.now() - startedAt)
    if (rows.length !== BATCH / 5) throw new Error(`${rows.length} borrowers were sold`)
  }
  return {
    name: `(p) what was sold of ${BATCH}, of ${sold.length.toLocaleString('en')} sold of ${facilities.length.toLocaleString('en')}`,
    unit: 'batches/s',
    ours: (waits.length * 1_000) / waits.reduce((sum, ms) => sum + ms, 0),
    p50Ms: { ours: percentile(waits, 0.5) },
    p99Ms: { ours: percentile(waits, 0.99) },
    aim: p99AtMost(50),
  }
}

async function addSales(db: Db, tenantId: string, sold: readonly SeededFacility[]): Promise<void> {
  const ids = sold.map(({ facilityId }) => facilityId)
  const given = sql`unnest(${ids}::text[]) AS sold (facility_id)`
  await inTransaction(db, async (tx) => {
    await sql`SET LOCAL statement_timeout = 0`.execute(tx)
    await sql`
      INSERT INTO margin_warnings (tenant_id, facility_id, number, tier, status, raised_at,
        ltv_at_raise, cure_deadline, outages_until, escalated_at, cure_amount_cents,
        cure_collateral_cents)
      SELECT ${tenantId}, facility_id, 1, 3, 'ESCALATED', now(), '0.840000', now(), now(), now(), 1, 1
      FROM ${given}`.execute(tx)
    await sql`
      INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status,
                                outcome, created_at, started_at, completed_at)
      SELECT ${tenantId}, facility_id, 1, 1, 'COMPLETED', 'partial', now(), now(), now()
      FROM ${given}`.execute(tx)
    await sql`
      INSERT INTO margin_sales (tenant_id, facility_id, call_number, number, asset, ordered_units,
        in_kind, status, filled_units, proceeds_cents, costs_cents, ordered_at, executed_at)
      SELECT ${tenantId}, facility_id, 1, 1, 'BTC', 1000, false, 'FILLED', 1000, 70, 1, now(), now()
      FROM ${given}`.execute(tx)
  })
}
