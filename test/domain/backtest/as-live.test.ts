import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { runBacktest } from '../../../src/domain/backtest/backtest.ts'
import { type LoanEvent, type LoanTerms, openLoan } from '../../../src/domain/backtest/loan.ts'
import { FILLS_AT_CLOSE, type PricePoint } from '../../../src/domain/backtest/prices.ts'
import {
  evaluateTenant,
  scheduleEvaluation,
} from '../../../src/domain/margin/evaluation/evaluate.ts'
import { DEFAULT_MARGIN_POLICY } from '../../../src/domain/margin/policy.ts'
import { EVALUATE_FACILITY, EVALUATE_TENANT } from '../../../src/domain/margin/topics.ts'
import {
  addFacility,
  draw,
  type Lending,
  openHousesInOneDatabase,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { readCalls } from '../../support/lending/margin.ts'
import { readEvents } from '../../support/lending/onboarding.ts'

const openHouse = openHousesInOneDatabase()

const OPENING_USD = 100_000

const TERMS: LoanTerms = {
  asset: 'BTC',
  haircutPpm: 30_000n,
  ltvPpm: 500_000n,
  limitCents: 48_500_00n,
  ratePpm: 100_000n,
  termMs: 4_000 * DAY_MS,
}

const RULES = {
  terms: TERMS,
  policy: DEFAULT_MARGIN_POLICY,
  // What the custodian of the house takes.
  fills: { ...FILLS_AT_CLOSE, feePpm: 10_000n },
}

/** After how long the price moves, and to what. */
const moves = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom(SECOND_MS, 30 * SECOND_MS, MINUTE_MS - 1, MINUTE_MS, MINUTE_MS + 1),
      fc.integer({ min: 1, max: 90 }).map((minutes) => minutes * MINUTE_MS),
      fc.integer({ min: 1, max: 80 }).map((hours) => hours * HOUR_MS),
      fc.integer({ min: 1, max: 60 }).map((days) => days * DAY_MS),
    ),
    fc.oneof(
      // About the lines of 0.83 to 0.60, which interest may cross.
      fc.constantFrom(60_241, 62_500, 66_666, 66_700, 71_428, 71_500, 83_333, 83_400),
      fc.integer({ min: 55_000, max: 90_000 }),
      fc.integer({ min: 30_000, max: 130_000 }),
    ),
  ),
  { minLength: 3, maxLength: 14 },
)

/** Time passes up to `until`, and whatever falls due on the way runs at its own instant. */
async function passUntil(lending: Lending, until: Date): Promise<void> {
  for (;;) {
    const { due } = await lending.db
      .selectFrom('work')
      .select((select) => select.fn.min('due_at').as('due'))
      .where('tenant_id', '=', lending.tenantId)
      .where('topic', 'in', [EVALUATE_FACILITY, EVALUATE_TENANT])
      .executeTakeFirstOrThrow()
    if (!due || due >= until) break
    lending.advance(Math.max(0, due.getTime() - lending.now().getTime()))
    await settle(lending)
  }
  lending.advance(until.getTime() - lending.now().getTime())
}

/** The service itself: a facility over PostgreSQL, evaluated at each price, a minute later, and when
 * its own deadlines fall due. */
async function playLive(points: readonly PricePoint[], openedAt: Date): Promise<LoanEvent[]> {
  await using lending = await openHouse({ now: openedAt.toISOString() })
  lending.market.set('BTC', String(OPENING_USD))
  const { units } = openLoan(openedAt, BigInt(OPENING_USD) * 10n ** 8n, RULES)
  const positions = [{ asset: 'BTC', units }]
  const { id } = await addFacility(lending, { limitCents: TERMS.limitCents, positions })
  await draw(lending, id, usd(TERMS.limitCents))
  await settle(lending)
  for (const { atMs, price } of points.slice(1)) {
    await passUntil(lending, new Date(atMs))
    lending.market.set('BTC', String(price / 10n ** 8n))
    await inTransaction(lending.db, (tx) =>
      scheduleEvaluation(tx, lending.context, lending.tenantId, lending.now()),
    )
    await evaluateTenant(lending.db, lending.context, lending.tenantId, lending.instant())
    await settle(lending)
  }
  return await readHistory(lending, id)
}

async function readHistory(lending: Lending, facilityId: string): Promise<LoanEvent[]> {
  const calls = await readCalls(lending, facilityId)
  const events = await readEvents(lending.db, lending.tenantId)
  const warned = new Set<unknown>()
  return events.flatMap(({ type, occurred_at: occurredAt, data }): LoanEvent[] => {
    if (data.facility_id !== facilityId) return []
    const at = new Date(occurredAt)
    const seen = { at, price: 0n }
    if (type === 'margin_warning.raised') {
      const kind = warned.has(data.number) ? 'worsened' : 'raised'
      warned.add(data.number)
      return [{ ...seen, kind, tier: data.tier as 1 }]
    }
    if (type === 'margin_warning.cured') return [{ ...seen, kind: 'cured' }]
    if (type === 'margin_warning.escalated') {
      return [{ ...seen, kind: 'escalated', reason: data.reason as 'deadline', debtCents: 0n }]
    }
    if (type !== 'margin_call.completed') return []
    const call = calls.find(({ number }) => number === data.number)
    const grossCents = (call?.sold ?? []).reduce((sum, fill) => sum + fill.proceedsCents, 0n)
    const costsCents = call?.costsCents ?? 0n
    return [{ ...seen, kind: 'sold', outcome: data.outcome as 'full', grossCents, costsCents }]
  })
}

/** What both have: kinds, tiers, reasons, instants, and sales to the cent. */
function withoutPrices(events: readonly LoanEvent[]): LoanEvent[] {
  return events.map((event) => ({
    ...event,
    price: 0n,
    ...(event.kind === 'escalated' ? { debtCents: 0n } : {}),
  }))
}

test('a backtest warns, cures, escalates and sells as the service does over PostgreSQL, at the same instants and to the cent', async () => {
  const seen = new Set<string>()
  const openedAt = new Date('2026-11-20T12:00:00Z')
  await fc.assert(
    fc.asyncProperty(moves, async (drawn) => {
      let atMs = openedAt.getTime()
      const points: PricePoint[] = [{ atMs, price: BigInt(OPENING_USD) * 10n ** 8n }]
      for (const [waitMs, dollars] of drawn) {
        atMs += waitMs
        points.push({ atMs, price: BigInt(dollars) * 10n ** 8n })
      }
      const [played] = runBacktest(points, RULES)
      const live = await playLive(points, openedAt)
      // At the last price both end: what it leads to later is played by neither.
      expect(live).toEqual(withoutPrices(played?.events ?? []))
      for (const event of live) seen.add(event.kind)
    }),
    // One seed: each kind of event must be among what is played.
    { numRuns: 10, seed: 7 },
  )
  expect([...seen].sort()).toEqual(['cured', 'escalated', 'raised', 'sold', 'worsened'])
}, 240_000)
