import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareInterval } from '../../../src/domain/backtest/confidence.ts'

test.each([
  // Of the tables of Clopper and Pearson.
  [0, 10, 0, 0.3085],
  [1, 10, 0.0025, 0.445],
  [5, 10, 0.1871, 0.8129],
  [10, 10, 0.6915, 1],
  [0, 4, 0, 0.6024],
  [2, 1_000, 0.0002, 0.0072],
])('after %i hits of %i windows the share is between %d and %d', (hits, trials, low, high) => {
  const interval = shareInterval(hits, trials)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('without windows nothing is known', () => {
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 })
})

test('an interval holds the observed share, and more windows of the same share narrow it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.nat({ max: 400 }), (trials, drawn) => {
      const hits = drawn % (trials + 1)
      const { low, high } = shareInterval(hits, trials)
      expect(low).toBeLessThanOrEqual(hits / trials)
      expect(high).toBeGreaterThanOrEqual(hits / trials)
      const longer = shareInterval(4 * hits, 4 * trials)
      expect(longer.high - longer.low).toBeLessThan(high - low)
    }),
  )
})
