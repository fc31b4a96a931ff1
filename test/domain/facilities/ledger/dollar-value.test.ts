import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxOf } from '../../../../src/core/money.ts'
import {
  creditCents,
  debitCents,
  unitsForCents,
  unitsPaying,
} from '../../../../src/domain/facilities/ledger/conversion.ts'

const usdc = (units: bigint) => ({ asset: 'USDC', units })
const price = (dollars: number) => BigInt(Math.round(dollars * 1e8))

// 1,000.000001 USDC each; worked by hand.
describe.each([
  { at: 1, owes: 1_000_01n, pays: 1_000_00n },
  { at: 1.0001, owes: 1_000_11n, pays: 1_000_00n }, // ⌈1,000.10000100⌉
  { at: 1.05, owes: 1_050_01n, pays: 1_000_00n }, // ⌈1,050.00000105⌉
  { at: 0.9999, owes: 1_000_01n, pays: 999_90n }, // ⌊999.90000099⌋
  { at: 0.87654321, owes: 1_000_01n, pays: 876_54n },
])('1,000.000001 USDC at $at', ({ at, owes, pays }) => {
  test(`1,000.000001 USDC at ${at} owe ${owes} cents when drawn and pay ${pays} when repaid`, () => {
    expect(debitCents(usdc(1_000_000_001n), price(at))).toBe(owes)
    expect(creditCents(usdc(1_000_000_001n), price(at))).toBe(pays)
  })
})

const units = fc.bigInt(1n, 10n ** 18n)
const prices = fc.bigInt(1n, 10n ** 10n)

test('the smallest draw owes a cent; the same money repaid never pays more than it owed', () => {
  expect(debitCents(usdc(1n), price(1))).toBe(1n)
  expect(creditCents(usdc(1n), price(1))).toBe(0n)
  fc.assert(
    fc.property(units, prices, prices, (amount, then, now) => {
      expect(creditCents(usdc(amount), now)).toBeLessThanOrEqual(debitCents(usdc(amount), then))
    }),
  )
})

test('what goes back for cents is worth no more than they are, and short by less than a unit', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), prices, (cents, at) => {
      const back = unitsForCents('USDC', cents, at)
      const counted = maxOf(at, price(1))
      const worth = (amount: bigint) => amount * counted * 100n
      expect(worth(back)).toBeLessThanOrEqual(cents * 10n ** 14n)
      expect(worth(back + 1n)).toBeGreaterThan(cents * 10n ** 14n)
    }),
  )
})

test('what pays so many cents is enough, and one unit less is not', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 12n), prices, (cents, at) => {
      const paying = unitsPaying('USDC', cents, at)
      expect(creditCents(usdc(paying), at)).toBeGreaterThanOrEqual(cents)
      expect(creditCents(usdc(paying - 1n), at)).toBeLessThan(cents)
    }),
  )
})

test('a dollar is a dollar at whatever price', () => {
  const dollars = { asset: 'USD', units: 123_45n }
  expect(debitCents(dollars, price(2))).toBe(123_45n)
  expect(creditCents(dollars, price(0.5))).toBe(123_45n)
  expect(unitsForCents('USD', 123_45n, price(2))).toBe(123_45n)
})
