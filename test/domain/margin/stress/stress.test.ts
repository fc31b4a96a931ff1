import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addMs, SECOND_MS } from '../../../../src/core/time.ts'
import type { Db } from '../../../../src/db/database.ts'
import { ONE_USD, type Prices } from '../../../../src/domain/collateral/prices.ts'
import { HAIRCUTS_PPM } from '../../../../src/domain/collateral/valuation.ts'
import { getFacility } from '../../../../src/domain/facilities/facilities.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'
import { type Case, toLadderFacts } from '../../../../src/domain/margin/case.ts'
import { windowDeadline } from '../../../../src/domain/margin/ladder/deadlines.ts'
import type { LadderFacts, OpenWarning } from '../../../../src/domain/margin/ladder/facts.ts'
import { decideLadder } from '../../../../src/domain/margin/ladder/ladder.ts'
import { evaluateCollateral } from '../../../../src/domain/margin/ladder/window-values.ts'
import { loadCases } from '../../../../src/domain/margin/load-cases.ts'
import {
  alwaysBy,
  DEFAULT_MARGIN_POLICY,
  DEFAULT_MARGIN_TERMS,
  type MarginTerms,
} from '../../../../src/domain/margin/policy.ts'
import { type Fill, fillAsPlanned, planSale } from '../../../../src/domain/margin/sale-plan.ts'
import { selectChanges } from '../../../../src/domain/margin/stress/change-queries.ts'
import { toPassTerms, toRates } from '../../../../src/domain/margin/stress/rates.ts'
import type {
  FacilityRow,
  Outcome,
  OutcomeRow,
  SaleRow,
} from '../../../../src/domain/margin/stress/rows.ts'
import { type Market, sellsEachAssetOnce } from '../../../../src/domain/margin/stress/scenario.ts'
import { selectOutcomes, sumOutcomes } from '../../../../src/domain/margin/stress/stress-queries.ts'
import { openTenant } from '../../../support/lending/onboarding.ts'
import { bookEntry, insertBook } from '../../../support/lending/random-book.ts'
import { databaseForFile } from '../../../support/stores/database.ts'
import { removeTenants } from '../../../support/stores/remove-tenants.ts'
import { marginPolicies } from '../ladder/arbitraries.ts'

const NOW = new Date('2026-11-20T12:00:00Z')

const database = databaseForFile()
let db: Db
beforeAll(async () => {
  db = database.db
})

const quote = (low: bigint, high: bigint) =>
  fc.option(
    fc.record({
      price: fc.bigInt(low, high),
      ageMs: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(0, 300 * SECOND_MS) },
        { weight: 1, arbitrary: fc.constant(300 * SECOND_MS + 1) },
      ),
    }),
    { nil: undefined, freq: 24 },
  )

const market = fc.record({
  ahead: fc.constantFrom(0, 1, 86_400_000),
  BTC: quote(1n, 90_000n * ONE_USD),
  ETH: quote(1_000n * ONE_USD, 4_000n * ONE_USD),
  USDC: quote(ONE_USD - 5_000_000n, ONE_USD + 5_000_000n),
})
type DrawnMarket = typeof market extends fc.Arbitrary<infer T> ? T : never

/** Up to so much, or 1: what counts for nothing is sold all the same. */
const haircut = (most: bigint) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.bigInt(0n, most) },
    { weight: 1, arbitrary: fc.constant(1_000_000n) },
  )

const terms: fc.Arbitrary<MarginTerms> = fc
  .tuple(
    fc.oneof(fc.constant(DEFAULT_MARGIN_POLICY), marginPolicies.filter(sellsEachAssetOnce)),
    fc.oneof(
      fc.constant(HAIRCUTS_PPM),
      fc
        .tuple(haircut(999_999n), haircut(400_000n), haircut(400_000n))
        .map(
          ([BTC, ETH, USDC]) => new Map([...HAIRCUTS_PPM, ...Object.entries({ BTC, ETH, USDC })]),
        ),
    ),
  )
  .map(([policy, haircuts]) => ({ policy, haircuts }))

function toMarket(tenantId: string, { ahead, ...quotes }: DrawnMarket): Market {
  const now = addMs(NOW, ahead)
  const prices: Prices = new Map([
    ['USD', { price: ONE_USD, at: now }],
    ...Object.entries(quotes).flatMap(([asset, quoted]) =>
      quoted ? [[asset, { price: quoted.price, at: addMs(now, -quoted.ageMs) }] as const] : [],
    ),
  ])
  return { tenantId, now, prices }
}

/** The cases as the ladder loads them, at the market's prices and haircuts. */
async function loadAt(
  { tenantId, now, prices }: Market,
  { policy, haircuts }: MarginTerms,
  ids: readonly string[],
): Promise<Case[]> {
  const facilities = await Promise.all(ids.map((id) => getFacility(db, tenantId, id)))
  const view = { latest: prices, window: [prices] }
  const { termsOf } = alwaysBy({ policy: DEFAULT_POLICY, marginPolicy: policy })
  const cases = await loadCases({ db, tenantId, now, termsOf }, facilities, async () => view)
  return cases.map((one) => ({
    ...one,
    collateral: evaluateCollateral(one.positions, view, { now, staleMs: policy.staleMs, haircuts }),
  }))
}

function decideToTheEnd(loaded: Case, now: Date, { policy }: MarginTerms) {
  const debtCents = totalDebtCents(loaded.facility.debt, now)
  const first = toLadderFacts({ ...loaded, changedBy: undefined }, 'price', now)
  const ended = followLadder(first, debtCents, policy)
  const tier = ended.warning?.tier ?? null
  const sale = ['warned', 'held', 'overdue', 'critical', 'called'].includes(ended.outcome)
    ? planSale({ debtCents, positions: loaded.collateral.latest.positions }, policy)
    : undefined
  const isDeficit = sale?.reason === 'nothing_sellable'
  const fills = (sale?.orders ?? []).map((order) =>
    fillAsPlanned({ debtCents, positions: loaded.collateral.latest.positions }, order, policy),
  )
  const byAsset = (pick: (fill: Fill) => bigint) =>
    Object.fromEntries(fills.map((fill) => [fill.asset, String(pick(fill))]))
  return {
    outcome: ended.outcome,
    tier: ended.outcome === 'warned' || ended.outcome === 'held' ? tier : undefined,
    debt: debtCents,
    value: loaded.collateral.latest.valueCents,
    deficit: isDeficit ? sale.end.debtCents : 0n,
    sold: byAsset(({ units }) => units),
    gross: byAsset(({ proceedsCents }) => proceedsCents),
    costs: byAsset(({ costsCents }) => costsCents),
  }
}

function followLadder(
  first: LadderFacts,
  debtCents: bigint,
  policy: typeof DEFAULT_MARGIN_POLICY,
): { outcome: Outcome; warning: OpenWarning | undefined } {
  let { warning } = first
  for (;;) {
    const facts = { ...first, warning }
    const decision = decideLadder(facts, policy)
    switch (decision.kind) {
      case 'raise':
      case 'worsen':
        warning = {
          tier: decision.tier,
          cureDeadline: decision.cureDeadline,
          windowDeadline: windowDeadline(facts, decision.tier, policy),
        }
        break
      case 'cure':
        return { outcome: 'cured', warning }
      case 'hold':
        return { outcome: 'held', warning }
      case 'escalate':
        return { outcome: decision.reason === 'critical' ? 'critical' : 'overdue', warning }
      case 'none':
      case 'ask':
        return { outcome: restingOutcome(facts, debtCents, policy), warning }
      default: {
        const unreachable: never = decision
        return unreachable
      }
    }
  }
}

function restingOutcome(
  { values, hasLiveCall, hasSellableValue, warning }: LadderFacts,
  debtCents: bigint,
  policy: typeof DEFAULT_MARGIN_POLICY,
): Outcome {
  if (!values) return 'stale'
  if (hasLiveCall) return 'called'
  if (warning) return 'warned'
  return debtCents >= policy.leastCents && !hasSellableValue ? 'unsecured' : 'clear'
}

/** A preview of `applied` lists where it differs from the service's terms, each facility once. */
async function expectChanges(
  markets: readonly Market[],
  applied: MarginTerms,
  after: readonly FacilityRow[],
): Promise<void> {
  const passBy = (used: MarginTerms) => ({
    markets: markets.map((one) => toRates(one, used)),
    terms: toPassTerms(used),
  })
  const today = passBy(DEFAULT_MARGIN_TERMS)
  const { facilities, groups } = await selectChanges(db, [today], [passBy(applied)], { limit: 100 })
  const before = await selectOutcomes(db, today.markets, today.terms)
  const stateOf = ({ outcome, tier }: FacilityRow) =>
    outcome === 'warned' || outcome === 'held' ? `${outcome} ${tier}` : outcome
  const stateBefore = new Map(before.map((row) => [row.facilityId, stateOf(row)]))
  const changed = after.filter((row) => stateOf(row) !== stateBefore.get(row.facilityId))
  expect(groups.reduce((sum, group) => sum + group.facilities, 0)).toBe(changed.length)
  const threatened = changed.filter(({ outcome }) =>
    ['warned', 'held', 'overdue', 'critical'].includes(outcome),
  )
  const withDebt = (rows: readonly { facilityId: string; debt: string | bigint }[]) =>
    rows.map(({ facilityId, debt }) => `${facilityId} ${BigInt(debt)}`).sort()
  expect(withDebt(facilities)).toEqual(withDebt(threatened))
}

function withoutZeros({ sold, gross, costs }: SaleRow) {
  const nonZero = (sums: Record<string, string>) =>
    Object.fromEntries(Object.entries(sums).filter(([asset]) => sold[asset] !== '0'))
  return { sold: nonZero(sold), gross: nonZero(gross), costs: nonZero(costs) }
}

type Counted = OutcomeRow & SaleRow & { facilities: number }

/** By tenant and outcome, how many facilities, and all that is added up. */
function toTotals(rows: readonly Counted[]) {
  const totals = new Map<string, bigint>()
  for (const row of rows) {
    const add = (what: string, sum: bigint) => {
      const key = `${row.tenantId} ${row.outcome} ${row.warnedTier} ${row.tier} ${what}`
      totals.set(key, (totals.get(key) ?? 0n) + sum)
    }
    add('facilities', BigInt(row.facilities))
    add('debt', row.debt)
    add('value', row.value)
    add('deficit', row.deficit)
    for (const what of ['sold', 'gross', 'costs'] as const) {
      for (const [asset, sum] of Object.entries(row[what])) add(`${what} ${asset}`, BigInt(sum))
    }
  }
  return totals
}

test('the pass over the book decides and sells as the ladder and the sale plan do, facility by facility, to the cent', async () => {
  const seen = new Set<Outcome>()
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(market, market),
      fc.array(bookEntry, { minLength: 12, maxLength: 12 }),
      terms,
      async (drawn, entries, applied) => {
        await removeTenants(db)
        const markets: Market[] = []
        const expected = new Map<string, ReturnType<typeof decideToTheEnd>>()
        for (const one of drawn) {
          const at = toMarket(await openTenant(db, NOW), one)
          markets.push(at)
          const half = entries.slice(drawn.indexOf(one) * 6).slice(0, 6)
          const ids = await insertBook(db, at, half, async (added) =>
            (await loadAt(at, applied, added)).map(
              ({ collateral }) => collateral.latest.valueCents,
            ),
          )
          for (const loaded of await loadAt(at, applied, ids)) {
            const decided = decideToTheEnd(loaded, at.now, applied)
            const isInBook = decided.debt > 0n || loaded.warning || loaded.hasLiveCall
            if (isInBook) expected.set(loaded.facility.id, decided)
          }
        }
        const rates = markets.map((one) => toRates(one, applied))
        const rows = await selectOutcomes(db, rates, toPassTerms(applied))
        expect(rows.map(({ facilityId }) => facilityId).sort()).toEqual([...expected.keys()].sort())
        for (const row of rows) {
          seen.add(row.outcome)
          const { tier, ...decided } = expected.get(row.facilityId) ?? {}
          expect({ ...row, ...withoutZeros(row) }).toMatchObject(decided)
          if (tier !== undefined) expect(row.tier).toBe(tier)
        }
        await expectChanges(markets, applied, rows)
        const sums = await sumOutcomes(db, rates, toPassTerms(applied))
        expect(toTotals(sums)).toEqual(toTotals(rows.map((row) => ({ ...row, facilities: 1 }))))
      },
    ),
    // One seed: each outcome must be among what is drawn.
    { numRuns: 30, seed: 7 },
  )
  const all = [
    'called',
    'clear',
    'critical',
    'cured',
    'held',
    'overdue',
    'stale',
    'unsecured',
    'warned',
  ]
  expect([...seen].sort()).toEqual(all)
}, 240_000)
