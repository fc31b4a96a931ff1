import { expect, test } from 'vitest'
import { readingPeriodMs } from '../../../src/domain/facilities/reading-period.ts'

const periods = { custodianReadSeconds: 60, custodianCalmReadSeconds: 600 }
const VALUE = 100_000_00n

test.each<[string, bigint, bigint, number]>([
  ['nothing is owed', 0n, VALUE, 600],
  ['nothing is owed and nothing is held', 0n, 0n, 600],
  ['LTV is 0.40', 40_000_00n, VALUE, 600],
  ['LTV is a ppm below 0.60', 59_999_90n, VALUE, 60],
  ['LTV is 0.60', 60_000_00n, VALUE, 60],
  ['LTV is far above 0.60', 99_000_00n, VALUE, 60],
  ['something is owed and nothing is held', 1n, 0n, 60],
  ['LTV is halfway', 50_000_00n, VALUE, 300],
  ['LTV is 0.55', 55_000_00n, VALUE, 180],
])(
  'where %s, a facility owing %s over %s is read every %i s',
  (_, debtCents, valueCents, seconds) => {
    expect(Math.round(readingPeriodMs({ debtCents, valueCents }, periods) / 1_000)).toBe(seconds)
  },
)

test('a calm period that is shorter than the other one is not used', () => {
  const shorter = { custodianReadSeconds: 60, custodianCalmReadSeconds: 10 }
  expect(readingPeriodMs({ debtCents: 0n, valueCents: VALUE }, shorter)).toBe(60_000)
})

test('the period never grows while the LTV rises', () => {
  const ofPercent = (percent: number) =>
    readingPeriodMs({ debtCents: BigInt(percent) * 1_000_00n, valueCents: VALUE }, periods)
  for (let percent = 1; percent <= 100; percent += 1) {
    expect(ofPercent(percent)).toBeLessThanOrEqual(ofPercent(percent - 1))
  }
})
