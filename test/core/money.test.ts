import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decimalPattern,
  divideDown,
  divideUp,
  formatAmount,
  formatDecimal,
  formatFixed,
  formatUsd,
  fractionDigits,
  parseDecimal,
  positivePattern,
  unitsPerWhole,
} from '../../src/core/money.ts'

const digit = fc.constantFrom(...'0123456789')
const texts = fc.oneof(
  fc
    .tuple(fc.string({ unit: digit, maxLength: 20 }), fc.string({ unit: digit, maxLength: 20 }))
    .map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.string({ unit: digit, maxLength: 20 }),
  fc.integer({ min: 0, max: 20 }).map((zeros) => `0.${'0'.repeat(zeros)}1`),
  fc.string({ unit: fc.constantFrom(...'01.-e\n'), maxLength: 8 }),
)

test.each([2, 6, 8, 18])(
  'the pattern for %i digits in the OpenAPI document matches exactly the amounts that are read',
  (digits) => {
    const [any, positive] = [decimalPattern(digits), positivePattern(digits)]
    fc.assert(
      fc.property(texts, (text) => {
        const units = parseDecimal(text, digits)
        expect(new RegExp(any).test(text)).toBe(units !== undefined)
        expect(new RegExp(positive).test(text)).toBe(units !== undefined && units > 0n)
      }),
      { numRuns: 2_000 },
    )
  },
)

test.each([
  ['0', 2, 0n],
  ['1', 2, 100n],
  ['1500.00', 2, 150_000n],
  ['0.01', 2, 1n],
  ['1.5', 8, 150_000_000n],
  ['999999999999999999.999999999999999999', 18, 10n ** 36n - 1n],
  ['12', 0, 12n],
])('the decimal %s is read exactly', (text, digits, units) => {
  expect(parseDecimal(text, digits)).toBe(units)
})

test.each([
  ['', 2],
  ['1.', 2],
  ['.5', 2],
  ['01', 2],
  ['00', 2],
  ['-1', 2],
  ['+1', 2],
  ['1e3', 2],
  ['1,000', 2],
  [' 1', 2],
  ['1\n', 2],
  ['0x10', 2],
  ['１', 2],
  ['NaN', 2],
  ['1.001', 2],
  ['1.5', 0],
  ['1000000000000000000', 2],
  ['0.0000000000000000000', 18],
])('%j is no decimal', (text, digits) => {
  expect(parseDecimal(text, digits)).toBeUndefined()
})

const digits = fc.integer({ min: 0, max: 18 })
const units = fc.bigInt(0n, 10n ** 18n - 1n)

test('decimals are printed as they were read', () => {
  fc.assert(
    fc.property(units, digits, (value, places) => {
      expect(parseDecimal(formatDecimal(value, places), places)).toBe(value)
      expect(parseDecimal(formatFixed(value, places), places)).toBe(value)
      expect(formatDecimal(value, places)).not.toMatch(/\.\d*0$|\.$/)
    }),
  )
})

test('decimals below zero have one sign', () => {
  expect(formatFixed(-1n, 2)).toBe('-0.01')
  expect(formatUsd(-12_345n)).toBe('-123.45')
})

test('assets have their own decimal places, and unknown ones 18, whatever their code', () => {
  expect(['USD', 'USDC', 'BTC', 'ETH', 'XAU'].map(fractionDigits)).toEqual([2, 6, 8, 18, 18])
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', '']) {
    expect(fractionDigits(name)).toBe(18)
    expect(unitsPerWhole(name)).toBe(10n ** 18n)
  }
})

test('dollars are printed with two places, others without trailing zeros', () => {
  expect(formatAmount({ asset: 'USD', units: 150_000n })).toEqual({
    amount: '1500.00',
    asset: 'USD',
  })
  expect(formatAmount({ asset: 'USDC', units: 1_500_000n })).toEqual({
    amount: '1.5',
    asset: 'USDC',
  })
  expect(formatAmount({ asset: 'BTC', units: 10n ** 9n })).toEqual({
    amount: '10',
    asset: 'BTC',
  })
})

test('division rounds up or down, on both sides of zero', () => {
  expect([divideUp(7n, 2n), divideUp(-7n, 2n), divideUp(6n, 2n)]).toEqual([4n, -3n, 3n])
  expect([divideDown(7n, 2n), divideDown(-7n, 2n), divideDown(6n, 2n)]).toEqual([3n, -4n, 3n])
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: 1n }), (numerator, denominator) => {
      const [up, down] = [divideUp(numerator, denominator), divideDown(numerator, denominator)]
      expect(down * denominator <= numerator && numerator <= up * denominator).toBe(true)
      expect(up - down).toBe(numerator % denominator === 0n ? 0n : 1n)
    }),
  )
})
