import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accrueInterest, INTEREST_PER_CENT, interestCents } from '../../src/core/interest.ts'

const day = (text: string) => new Date(`${text}T00:00:00Z`)

// ACT/365F: actual days over 365, leap year or not, as ISDA's 2006 Definitions, section 4.16(d),
// word it ("the actual number of days in the Calculation Period … divided by 365"). The figures are
// principal · rate · days / 365, worked by hand and rounded up to the cent.
test.each([
  { principal: 10_000_00n, rate: 100_000n, from: '2026-01-01', to: '2027-01-01', cents: 1_000_00n },
  // 366 days of a leap year cost a day more than a year: 10,000 · 0.10 · 366 / 365 = 1,002.739726…
  { principal: 10_000_00n, rate: 100_000n, from: '2028-01-01', to: '2029-01-01', cents: 1_002_74n },
  // 1 November 2003 to 1 May 2004, the period of ISDA's own comparison of conventions: 182 days.
  // 10,000 · 0.10 · 182 / 365 = 498.630136…
  { principal: 10_000_00n, rate: 100_000n, from: '2003-11-01', to: '2004-05-01', cents: 498_64n },
  // 29 February counts: 28 February to 1 March 2028 are two days. 1,000,000 · 0.0525 · 2 / 365 = 287.671…
  { principal: 1_000_000_00n, rate: 52_500n, from: '2028-02-28', to: '2028-03-01', cents: 287_68n },
  { principal: 1_000_000_00n, rate: 52_500n, from: '2027-02-28', to: '2027-03-01', cents: 143_84n },
  // 73 days are a fifth of a year: 20,000 · 0.10 / 5, with nothing to round.
  { principal: 20_000_00n, rate: 100_000n, from: '2026-03-01', to: '2026-05-13', cents: 400_00n },
])(
  'interest is exact: $principal cents at $rate ppm from $from to $to',
  ({ principal, rate, from, to, cents }) => {
    expect(interestCents(accrueInterest(principal, rate, day(from), day(to)))).toBe(cents)
  },
)

test('a millisecond of interest is stored exactly, and shown as a cent', () => {
  const start = day('2026-01-01')
  const numerator = accrueInterest(1n, 1n, start, new Date(start.getTime() + 1))
  expect(numerator).toBe(1n)
  expect(interestCents(numerator)).toBe(1n)
  expect(interestCents(0n)).toBe(0n)
  expect(interestCents(INTEREST_PER_CENT)).toBe(1n)
  expect(interestCents(INTEREST_PER_CENT + 1n)).toBe(2n)
})

test('interest is additive over time, accrue(a, c) = accrue(a, b) + accrue(b, c), and linear in the principal', () => {
  const time = fc.date({
    min: new Date('2020-01-01'),
    max: new Date('2100-01-01'),
    noInvalidDate: true,
  })
  const cents = fc.bigInt(0n, 10n ** 20n)
  const rates = fc.bigInt(0n, 1_000_000n)
  fc.assert(
    fc.property(cents, cents, rates, time, time, time, (p, q, rate, a, b, c) => {
      const whole = accrueInterest(p, rate, a, c)
      expect(accrueInterest(p, rate, a, b) + accrueInterest(p, rate, b, c)).toBe(whole)
      expect(accrueInterest(p + q, rate, a, c)).toBe(whole + accrueInterest(q, rate, a, c))
    }),
  )
})
