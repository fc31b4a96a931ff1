import fc from 'fast-check'
import { sql } from 'kysely'
import { newId } from '../../../src/core/ids.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import type { Db } from '../../../src/db/database.ts'
import { looksSealed } from '../stores/sealer.ts'
import { insertFacilities } from './facility-rows.ts'

const BTC = 10n ** 8n
const MARGIN_LINES = [600_000n, 700_000n, 750_000n, 800_000n, 830_000n, 950_000n]

const units = fc.record(
  {
    BTC: fc.oneof(fc.bigInt(0n, 2n * BTC), fc.bigInt(0n, 2_000n)),
    ETH: fc.bigInt(0n, 10n * 10n ** 18n),
    USDC: fc.bigInt(0n, 30_000n * 10n ** 6n),
    USD: fc.bigInt(0n, 10_000_00n),
    DOGE: fc.bigInt(0n, 10n ** 24n),
  },
  { requiredKeys: [] },
)

/** Past its deadline for a minute at most, with reports from before it that may hold it. */
const lateMs = fc.integer({ min: -MINUTE_MS, max: -1 })

const sinceMs = fc.integer({ min: -1_000, max: 40 * DAY_MS })
const nearMs = fc.oneof(
  fc.constantFrom(-1, 0, 1, -MINUTE_MS),
  fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }),
)

const pause = fc.record({
  kind: fc.constantFrom('outage' as const, 'hold' as const, 'forbearance' as const),
  agoMs: fc.oneof(
    fc.integer({ min: 0, max: 3 * HOUR_MS }),
    fc.integer({ min: 0, max: 30 * HOUR_MS }),
  ),
  lastMs: fc.oneof(
    fc.integer({ min: 1, max: 2 * MINUTE_MS }),
    fc.integer({ min: 1, max: HOUR_MS }),
    fc.integer({ min: 1, max: 30 * HOUR_MS }),
  ),
})
const agoOf = ({ agoMs }: { agoMs: number }) => agoMs

/** A facility of a book: everything that decides what the ladder makes of it at other prices. */
export const bookEntry = fc.record({
  positions: units,
  custodian: fc.option(units, { nil: undefined, freq: 3 }),
  pushedMs: sinceMs,
  receivedMs: sinceMs,
  /** Of its value at the latest prices, so that lines are met within a cent; else any. */
  ltvPpm: fc.oneof(fc.constantFrom(...MARGIN_LINES), fc.bigInt(0n, 1_500_000n)),
  centsBeside: fc.bigInt(-2n, 2n),
  smallCents: fc.option(fc.bigInt(0n, 10_01n), { nil: undefined, freq: 6 }),
  interestNumerator: fc.bigInt(0n, 10n ** 21n),
  interestPaidCents: fc.bigInt(0n, 5n),
  sinceMs,
  warning: fc.option(
    fc.record({
      tier: fc.constantFrom(1 as const, 2 as const, 3 as const),
      cureMs: fc.oneof(nearMs, lateMs),
      windowMs: fc.option(fc.oneof(nearMs, lateMs), { nil: undefined, freq: 1 }),
      reports: fc.array(
        fc.record({
          asset: fc.constantFrom('USD', 'USDC'),
          sharePpm: fc.bigInt(1n, 900_000n),
          reportedMs: fc.oneof(nearMs, fc.integer({ min: -90 * MINUTE_MS, max: -MINUTE_MS })),
        }),
        { maxLength: 2 },
      ),
      /** They may overlap; some outages are too short to count, and some pauses go on. */
      pauses: fc.oneof(
        { weight: 3, arbitrary: fc.constant([]) },
        {
          weight: 1,
          arbitrary: fc.uniqueArray(pause, { minLength: 1, maxLength: 4, selector: agoOf }),
        },
      ),
    }),
    { nil: undefined, freq: 2 },
  ),
  /** An earlier warning's call: live, or completed with a sale that may still be in the positions. */
  call: fc.option(
    fc.record({
      isLive: fc.boolean(),
      asset: fc.constantFrom('BTC', 'ETH', 'USDC'),
      sharePpm: fc.bigInt(0n, 2_000_000n),
      executedMs: sinceMs,
    }),
    { nil: undefined, freq: 3 },
  ),
})
export type BookEntry = typeof bookEntry extends fc.Arbitrary<infer T> ? T : never

/** Stores the entries as of `now`; `valuesOf` values the stored positions, in cents, to set debts by.
 * Returns the ids in the order of the entries. */
export async function insertBook(
  db: Db,
  { tenantId, now }: { tenantId: string; now: Date },
  entries: readonly BookEntry[],
  valuesOf: (facilityIds: readonly string[]) => Promise<readonly bigint[]>,
): Promise<string[]> {
  const ids = await insertFacilities(
    db,
    tenantId,
    entries.map((entry) => ({
      positions: entry.positions as Record<string, bigint>,
      custodian: entry.custodian as Record<string, bigint> | undefined,
      principalCents: 0n,
      interestNumerator: entry.interestNumerator,
      interestPaidCents: entry.interestPaidCents,
      accruedAt: addMs(now, -entry.sinceMs),
    })),
  )
  for (const [at, entry] of entries.entries()) {
    const key = { tenantId, facilityId: ids[at] ?? '', now }
    await datePositions(db, key, entry)
    if (entry.call) await insertCall(db, key, entry, entry.call)
  }
  for (const [at, value] of (await valuesOf(ids)).entries()) {
    const entry = entries[at]
    if (!entry) continue
    const wanted = entry.smallCents ?? (value * entry.ltvPpm) / 1_000_000n + entry.centsBeside
    const principal = wanted > 0n ? wanted : 0n
    const key = { tenantId, facilityId: ids[at] ?? '', now }
    await db
      .updateTable('facilities')
      .set({ principal_cents: principal })
      .where('facility_id', '=', key.facilityId)
      .execute()
    if (entry.warning && entry.call?.isLive !== true) {
      await insertWarning(db, key, entry.warning, principal)
    }
  }
  return ids
}

type Key = { tenantId: string; facilityId: string; now: Date }

async function datePositions(db: Db, { facilityId, now }: Key, entry: BookEntry): Promise<void> {
  const asOf = BigInt(addMs(now, -entry.pushedMs).getTime()) * 1_000n
  await sql`
    UPDATE portfolios SET as_of = ${asOf}, received_at = ${addMs(now, -entry.receivedMs)}
    WHERE borrower_id = (SELECT borrower_id FROM facilities WHERE facility_id = ${facilityId})
  `.execute(db)
}

async function insertCall(
  db: Db,
  { tenantId, facilityId, now }: Key,
  { positions }: BookEntry,
  call: NonNullable<BookEntry['call']>,
): Promise<void> {
  await db
    .insertInto('margin_warnings')
    .values({
      tenant_id: tenantId,
      facility_id: facilityId,
      number: 1,
      tier: 3,
      status: 'ESCALATED',
      raised_at: now,
      ltv_at_raise: '0.800001',
      cure_deadline: now,
      escalated_at: now,
      cure_amount_cents: 1n,
      cure_collateral_cents: 1n,
    })
    .execute()
  await sql`
    INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status, outcome,
                              created_at, started_at, completed_at)
    VALUES (${tenantId}, ${facilityId}, 1, 1, ${call.isLive ? 'SELLING' : 'COMPLETED'},
            ${call.isLive ? null : 'partial'}, ${now}, ${now}, ${call.isLive ? null : now})
  `.execute(db)
  const held = positions[call.asset as keyof typeof positions] ?? 0n
  const sold = (held * call.sharePpm) / 1_000_000n
  await db
    .insertInto('margin_sales')
    .values({
      tenant_id: tenantId,
      facility_id: facilityId,
      call_number: 1,
      number: 1,
      asset: call.asset,
      ordered_units: sold + 1n,
      in_kind: false,
      status: 'FILLED',
      filled_units: sold,
      proceeds_cents: 0n,
      costs_cents: 0n,
      ordered_at: addMs(now, -call.executedMs),
      executed_at: addMs(now, -call.executedMs),
    })
    .execute()
}

async function insertWarning(
  db: Db,
  { tenantId, facilityId, now }: Key,
  { tier, cureMs, windowMs, reports, pauses }: NonNullable<BookEntry['warning']>,
  principalCents: bigint,
): Promise<void> {
  await db
    .insertInto('margin_warnings')
    .values({
      tenant_id: tenantId,
      facility_id: facilityId,
      number: 2,
      tier,
      status: 'OPEN',
      raised_at: addMs(now, -DAY_MS),
      ltv_at_raise: '0.700001',
      cure_deadline: addMs(now, cureMs),
      window_deadline: windowMs === undefined ? null : addMs(now, windowMs),
    })
    .execute()
  for (const { kind, agoMs, lastMs } of pauses) {
    const startedAt = addMs(now, -agoMs)
    const isLying = kind === 'hold' && lastMs > agoMs
    const why =
      kind === 'hold' ? { hold_kind: 'other' as const, reason: looksSealed('letter') } : {}
    await db
      .insertInto('facility_pauses')
      .values({
        tenant_id: tenantId,
        facility_id: facilityId,
        pause_id: newId('pau'),
        kind,
        started_at: startedAt,
        ended_at: isLying ? null : addMs(startedAt, lastMs),
        ...why,
      })
      .execute()
    if (isLying) {
      await db
        .updateTable('facilities')
        .set({ held_since: startedAt, times_held: 1 })
        .where('tenant_id', '=', tenantId)
        .where('facility_id', '=', facilityId)
        .execute()
    }
  }
  for (const { asset, sharePpm, reportedMs } of reports) {
    const cents = (principalCents * sharePpm) / 1_000_000n
    const repaymentId = newId('rep')
    const delivered = asset === 'USD' ? cents + 1n : cents * 10_000n + 7n
    await db
      .insertInto('repayments')
      .values({
        tenant_id: tenantId,
        repayment_id: repaymentId,
        facility_id: facilityId,
        margin_warning_number: 2,
        status: 'REPORTED',
        asset,
        amount_units: delivered,
        delivered_units: delivered,
        reference: repaymentId,
        requested_at: now,
        reported_at: addMs(now, reportedMs),
      })
      .execute()
  }
}
