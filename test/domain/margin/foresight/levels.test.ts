import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE_PPM } from '../../../../src/core/ratio.ts'
import { addMs, HOUR_MS } from '../../../../src/core/time.ts'
import type { Prices } from '../../../../src/domain/collateral/prices.ts'
import type { Position } from '../../../../src/domain/collateral/valuation.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { type Case, toLadderFacts } from '../../../../src/domain/margin/case.ts'
import {
  type Level,
  levelsOf,
  toLevelBody,
} from '../../../../src/domain/margin/foresight/levels.ts'
import type { LadderDecision } from '../../../../src/domain/margin/ladder/facts.ts'
import { decideLadder } from '../../../../src/domain/margin/ladder/ladder.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy } from '../../../../src/domain/margin/policy.ts'
import { planNextOrder } from '../../../../src/domain/margin/sale-plan.ts'
import { readTable } from '../../../client/read-table.ts'
import { aCase, NOW, openWarning, pricesOf, withPrices } from '../../../support/lending/cases.ts'
import { marginPolicies } from '../ladder/arbitraries.ts'

const POLICY = DEFAULT_MARGIN_POLICY
const ONE_BTC = { asset: 'BTC', units: 10n ** 8n }

const anExample = (debtCents: bigint, terms: Partial<Case> = {}) =>
  aCase({ debtCents, positions: [ONE_BTC], prices: pricesOf({ BTC: '70000' }), ...terms })

const bodiesOf = (evaluated: Case) => levelsOf(evaluated, NOW).map(toLevelBody)

test('the example: 50,000.00 on 1 BTC at 70,000 has reached tier 1 alone', () => {
  const level = (line: string, ltv: string, value_usd: string, fall: string, price_usd: string) => {
    const prices = [{ asset: 'BTC', price_usd }]
    return { line, ltv, reached: line === 'tier_1', value_usd, fall_percent: fall, prices }
  }
  expect(bodiesOf(anExample(50_000_00n))).toEqual([
    level('tier_1', '0.7', '71428.57', '0.0000', '73637.7113402'),
    level('tier_2', '0.75', '66666.66', '1.8165', '68728.52577319'),
    level('tier_3', '0.8', '62499.99', '7.9529', '64432.98969072'),
    level('critical', '0.83', '60240.96', '11.2799', '62104.0927835'),
    level('sale', '0.83', '60240.96', '11.2799', '62104.0927835'),
  ])
})

test('docs/foresight.md shows the levels of the example', () => {
  const page = readFileSync(new URL('../../../../docs/foresight.md', import.meta.url), 'utf8')
  const columns = ['Line', 'LTV above', 'Reached', 'Whole collateral at', 'Fall in %', 'BTC at']
  const shown = readTable(page, columns).map((row) => Object.values(row))
  const rows = bodiesOf(anExample(50_000_00n)).map((level) => [
    ...[level.line, level.ltv, String(level.reached), level.value_usd, level.fall_percent],
    level.prices[0]?.price_usd,
  ])
  expect(shown).toEqual(rows)
})

test('with an open warning the sale follows its deadline, unless the floor of a cure is clear', () => {
  const sale = bodiesOf(anExample(50_000_00n, { warning: openWarning() })).at(-1)
  const from = addMs(NOW, HOUR_MS).toISOString()
  expect(sale).toMatchObject({ line: 'sale', ltv: '0.6', reached: true, from })
})

test('while a call is live the sale goes on until the floor of a cure is clear', () => {
  const levels = bodiesOf(anExample(50_000_00n, { hasLiveCall: true }))
  expect(levels.map(({ line, ltv }) => [line, ltv])).toEqual([['sale', '0.6']])
})

test.each([0n, 9_99n])('%s cents, which no warning is raised about, have no levels', (cents) => {
  expect(levelsOf(anExample(cents), NOW)).toEqual([])
})

test('an asset whose price decides nothing has no price, and the dollar never has one', () => {
  const evaluated = aCase({
    debtCents: 50_000_00n,
    positions: [
      { asset: 'USD', units: 10_000_00n },
      { asset: 'USDC', units: 60_000n * 10n ** 6n },
      { asset: 'ETH', units: 10n ** 18n },
      { asset: 'DOGE', units: 10n ** 18n },
    ],
    prices: pricesOf({ USDC: '1', ETH: '4000' }),
  })
  const [first] = bodiesOf(evaluated)
  // Without ETH 69,400.00 are left: its price alone reaches tier 1, and not critical.
  expect(first).toMatchObject({ reached: false, fall_percent: '2.4200' })
  expect(first?.prices.map(({ asset }) => asset)).toEqual(['USDC', 'ETH'])
  expect(
    bodiesOf(evaluated)
      .at(-1)
      ?.prices.map(({ asset }) => asset),
  ).toEqual(['USDC'])
})

const held = fc.record({
  BTC: fc.bigInt(0n, 100n * 10n ** 8n),
  ETH: fc.bigInt(0n, 1_000n * 10n ** 18n),
  USDC: fc.bigInt(0n, 1_000_000n * 10n ** 6n),
  USD: fc.bigInt(0n, 100_000_00n),
})
const quoted = fc.record({
  BTC: fc.bigInt(1n, 200_000n * 10n ** 8n),
  ETH: fc.bigInt(1n, 10_000n * 10n ** 8n),
  USDC: fc.bigInt(10n ** 7n, 2n * 10n ** 8n),
})
const policies = fc.oneof(fc.constant(POLICY), marginPolicies)
const states = fc.constantFrom<Partial<Case>>(
  {},
  { warning: openWarning() },
  { warning: openWarning(-1) },
  { hasLiveCall: true },
)
const drawn = fc.bigInt(1_000_00n, 5_000_000_00n)

function aCaseOf(
  units: Readonly<Record<string, bigint>>,
  prices: Readonly<Record<string, bigint>>,
  debtCents: bigint,
  state: Partial<Case>,
): { evaluated: Case; latest: Prices } {
  const positions: Position[] = Object.entries(units).map(([asset, held]) => {
    return { asset, units: held }
  })
  const latest: Prices = new Map([
    ...pricesOf({}),
    ...Object.entries(prices).map(([asset, price]) => [asset, { price, at: NOW }] as const),
  ])
  return { evaluated: aCase({ debtCents, positions, prices: latest, ...state }), latest }
}

const atPrice = (evaluated: Case, latest: Prices, asset: string, price: bigint): Case =>
  withPrices(evaluated, new Map(latest).set(asset, { price, at: NOW }))

test('at each printed price the ladder decides by the line, and one unit above it does not', () => {
  let compared = 0
  const each = fc.property(held, quoted, drawn, states, policies, (...given) => {
    const [units, prices, debtCents, state, policy] = given
    const { evaluated, latest } = aCaseOf(units, prices, debtCents, state)
    for (const level of levelsOf({ ...evaluated, policy }, NOW)) {
      expect(holds(level, evaluated, policy)).toBe(level.isReached)
      for (const { asset, price } of level.prices) {
        const below = atPrice(evaluated, latest, asset, price)
        const above = atPrice(evaluated, latest, asset, price + 1n)
        expect([level.line, asset, holds(level, below, policy)]).toEqual([level.line, asset, true])
        expect([level.line, asset, holds(level, above, policy)]).toEqual([level.line, asset, false])
        compared += 1
      }
    }
  })
  fc.assert(each, { numRuns: 500 })
  expect(compared).toBeGreaterThan(500)
})

/** By the ladder, or for a live call by the plan of its sale. */
function holds({ line }: Level, evaluated: Case, policy: MarginPolicy): boolean {
  const { hasLiveCall, warning, facility, collateral } = evaluated
  if (hasLiveCall) {
    const { positions } = collateral.latest
    const sale = { debtCents: totalDebtCents(facility.debt, NOW), positions }
    const step = planNextOrder(sale, policy)
    return step.kind === 'order' || step.reason === 'nothing_sellable'
  }
  if (line === 'sale' && warning) return isEscalated(decide(overdue(evaluated), policy))
  const unwarned = decide({ ...evaluated, warning: undefined }, policy)
  if (unwarned.kind !== 'raise') return false
  if (line === 'critical' || line === 'sale') return unwarned.cureDeadline <= NOW
  return unwarned.tier >= Number(line.slice('tier_'.length))
}

const decide = (evaluated: Case, policy: MarginPolicy): LadderDecision =>
  decideLadder({ ...toLadderFacts(evaluated, 'price', NOW), hasSellableValue: true }, policy)

const overdue = (evaluated: Case): Case => ({ ...evaluated, warning: openWarning(-1) })

const isEscalated = ({ kind }: LadderDecision) => kind === 'escalate'

test('at the printed value the line holds, a cent above it does not, and the fall leads there', () => {
  const each = fc.property(held, quoted, drawn, policies, (units, prices, debtCents, policy) => {
    const { evaluated } = aCaseOf(units, prices, debtCents, {})
    const { valueCents } = evaluated.collateral.latest
    for (const level of levelsOf({ ...evaluated, policy }, NOW)) {
      const exceeds = (cents: bigint) => debtCents * ONE_PPM > level.ltvPpm * cents
      expect([exceeds(level.valueCents), exceeds(level.valueCents + 1n)]).toEqual([true, false])
      const left = (fallPpm: bigint) => valueCents * (ONE_PPM - fallPpm)
      const most = level.valueCents * ONE_PPM
      expect(left(level.fallPpm)).toBeLessThanOrEqual(most)
      if (level.fallPpm > 0n) expect(left(level.fallPpm - 1n)).toBeGreaterThan(most)
    }
  })
  fc.assert(each, { numRuns: 500 })
})
