import { expect, test } from 'vitest'
import type { MarginDecision } from '../../src/client/index.ts'
import { positionOf } from '../../src/console/pages/facilities/health/gauge-scale.ts'
import { gaugeLines, meaningOf } from '../../src/console/pages/facilities/health/lines.ts'
import {
  formatSeconds,
  formatUnits,
  fromPercent,
  toPercent,
  toUnits,
} from '../../src/pages/data/figures.ts'
import { floorCents, ltvPpm, recompute } from '../../src/pages/lending/recompute.ts'

type Facts = MarginDecision['facts']

const at = '2026-11-20T12:00:00.000Z'
const price = (asset: string, usd: string) => {
  return { asset, price_usd: usd, accepted_at: at, sources: [] }
}

/** As on the page of the ladder, with dollars, and a dollar claim above its dollar. */
const facts: Pick<Facts, 'values' | 'positions' | 'rounds'> = {
  values: { highest_usd: '68990.00', lowest_usd: '34050.00', latest_usd: '68000.00' },
  positions: [
    { asset: 'BTC', quantity: '1', cure_quantity: '0.5', haircut: '0.03', value_usd: '66910.00' },
    { asset: 'USDC', quantity: '1000', haircut: '0.01', value_usd: '990.00' },
    { asset: 'USD', quantity: '100.00', haircut: '0', value_usd: '100.00' },
    { asset: 'DOGE', quantity: '5', value_usd: '0.00' },
  ],
  rounds: [
    [price('BTC', '70000'), price('USDC', '1.02')],
    [price('BTC', '68979.381443298970'), price('USDC', '1')],
  ],
}

test('positions are valued at each round as the service values them, to the cent', () => {
  const recomputed = recompute(facts as Facts)
  expect(recomputed?.rounds.map(({ valueCents }) => valueCents)).toEqual([68_990_00n, 67_999_99n])
  expect(recomputed?.rounds.map(({ cureCents }) => cureCents)).toEqual([35_040_00n, 34_544_99n])
  expect(recomputed?.agrees).toBe(false)
  const values = { highest_usd: '68990.00', lowest_usd: '34544.99', latest_usd: '67999.99' }
  expect(recompute({ ...facts, values } as Facts)?.agrees).toBe(true)
})

test('the lines of the gauge are those of the loan, and the early notices those of the service', () => {
  const tiers = [
    { tier: 1, above_ltv: '0.65', cure_seconds: 216_000 },
    { tier: 2, above_ltv: '0.75', cure_seconds: 43_200 },
    { tier: 3, above_ltv: '0.8', cure_seconds: 7_200 },
  ]
  const terms = {
    ...{ version: 3, rate: '0.1', floor_ltv: '0.65', cure_ltv: '0.55', critical_ltv: '0.82' },
    ...{ target_ltv: '0.5', haircuts: {}, tiers },
  }
  expect(gaugeLines(terms)).toEqual([
    { ltv: 0.55, name: 'Cured below' },
    { ltv: 0.6, name: 'Early notice' },
    { ltv: 0.65, name: 'Second early notice' },
    { ltv: 0.65, name: 'Tier 1' },
    { ltv: 0.75, name: 'Tier 2' },
    { ltv: 0.8, name: 'Tier 3' },
    { ltv: 0.82, name: 'Critical' },
  ])
  expect(gaugeLines({ ...terms, cure_ltv: '0.6' }).slice(0, 2)).toEqual([
    { ltv: 0.6, name: 'Cured below, early notice above' },
    { ltv: 0.65, name: 'Second early notice' },
  ])
  expect(meaningOf('tier_1', terms)).toBe('Warning, 60 h to cure')
  expect(gaugeLines(undefined)).toEqual([])
})

test('a decision without prices is not recomputed', () => {
  const { values: _, ...without } = facts
  expect(recompute(without as Facts)).toBeUndefined()
})

test('floors and ratios round up, as those of the ladder do', () => {
  expect(floorCents(50_000_00n, '0.7')).toBe(71_428_58n)
  expect(floorCents(50_000_00n, '0.6')).toBe(83_333_34n)
  expect(ltvPpm(50_000_00n, 67_900_00n)).toBe(736_378n)
  expect(ltvPpm(1n, 0n)).toBeUndefined()
})

test('decimals are exact, with signs and digits beyond those of a number', () => {
  expect(toUnits('-4945.20', 2)).toBe(-494_520n)
  expect(toUnits('0.000000000000000001', 18)).toBe(1n)
  expect(toUnits('123456789012345678.99', 2)).toBe(12_345_678_901_234_567_899n)
  expect(formatUnits(-5n, 2)).toBe('-0.05')
})

test('ratios are read and written in percent, every digit kept, and other text stays as it is', () => {
  for (const [ratio, percent] of [
    ['0.7', '70'],
    ['0.625', '62.5'],
    ['0.000001', '0.0001'],
    ['1', '100'],
    ['0', '0'],
    ['seven', 'seven'],
  ] as const) {
    expect([toPercent(ratio), fromPercent(percent)]).toEqual([percent, ratio])
  }
  expect(toPercent('0.70')).toBe('70')
})

test.each([
  [0, '0 s'],
  [-4, '0 s'],
  [61, '1 min 1 s'],
  [48 * 3_600, '48 h'],
  [48 * 3_600 - 1, '47 h 59 min'],
  [4 * 86_400 + 3_600, '4 d 1 h'],
])('%i seconds are shown as "%s"', (seconds, shown) => {
  expect(formatSeconds(seconds)).toBe(shown)
})

test('the gauge keeps the order of ratios, and its ends', () => {
  const ratios = [0, 0.2, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.83, 0.9, 1, 1.1]
  const positions = ratios.map(positionOf)
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(new Set(positions).size).toBe(ratios.length)
  expect([positions[0], positionOf(1.1), positionOf(999_999)]).toEqual([0, 1, 1])
})
