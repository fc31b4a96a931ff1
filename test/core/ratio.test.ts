import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exceedsLtv, floorCents, formatLtv } from '../../src/core/ratio.ts'

const cents = fc.bigInt(0n, 10n ** 12n)
const limits = fc.bigInt(1n, 1_000_000n)

test.each([
  [0n, 0n, '0.000000'],
  [0n, 100n, '0.000000'],
  [50_000_00n, 67_900_00n, '0.736378'], // 0.7363770… rounded up
  [1n, 3n, '0.333334'],
  [1n, 2n, '0.500000'],
  [1n, 10n ** 12n, '0.000001'],
  [5n, 0n, '999999.000000'],
  [10n ** 13n, 1n, '999999.000000'],
])('a debt of %d over %d is printed %s', (debt, value, printed) => {
  expect(formatLtv(debt, value)).toBe(printed)
})

test('the floor of a debt of 50,000.00 at 0.70 is 71,428.58', () => {
  expect(floorCents(50_000_00n, 700_000n)).toBe(71_428_58n)
})

test('a value is below the floor exactly when the ratio is above the limit', () => {
  fc.assert(
    fc.property(cents, cents, limits, (debt, value, limit) => {
      expect(exceedsLtv(debt, value, limit)).toBe(value < floorCents(debt, limit))
    }),
  )
})

test('a ratio that equals its limit does not exceed it, and one unit of debt more does', () => {
  expect(exceedsLtv(70n, 100n, 700_000n)).toBe(false)
  expect(exceedsLtv(71n, 100n, 700_000n)).toBe(true)
})
