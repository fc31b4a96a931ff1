import { expect, test } from 'vitest'
import { newId } from '../../../../src/core/ids.ts'
import { addMs } from '../../../../src/core/time.ts'
import {
  nextReadingAt,
  readingPeriodMs,
} from '../../../../src/domain/facilities/custody/reading-period.ts'

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

const START = new Date('2026-11-20T10:00:00.000Z')

test.each([60, 300, 600, 610])(
  'whenever a facility was read, its next reading within %i s is at an instant of its tenant',
  (seconds) => {
    const instants = Array.from({ length: 1_000 }, (_, at) => {
      const readAt = addMs(START, at * 137)
      const next = nextReadingAt('ten_one', readAt, seconds * 1_000, periods).getTime()
      const waitMs = next - readAt.getTime()
      expect(waitMs).toBeGreaterThan(0)
      expect(waitMs).toBeGreaterThan((seconds - 10) * 1_000 - 60_000)
      expect(waitMs).toBeLessThanOrEqual(seconds * 1_000)
      return next % 60_000
    })
    expect(new Set(instants).size).toBe(1)
  },
)

test('a facility that is read at its tenant’s instant is read again exactly one period later', () => {
  const instant = nextReadingAt('ten_one', START, 60_000, periods)
  expect(nextReadingAt('ten_one', instant, 300_000, periods)).toEqual(addMs(instant, 300_000))
})

test('the instants of many tenants are spread over the short period', () => {
  const next = () => nextReadingAt(newId('ten'), START, 60_000, periods).getTime()
  const seconds = Array.from({ length: 6_000 }, () => Math.floor(next() / 1_000))
  const counts = [...Map.groupBy(seconds, (second) => second).values()].map(({ length }) => length)
  expect(counts.length).toBeGreaterThanOrEqual(60)
  expect(Math.max(...counts)).toBeLessThan(250)
})
