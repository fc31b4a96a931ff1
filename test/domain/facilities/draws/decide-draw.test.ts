import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ONE_USD } from '../../../../src/domain/collateral/prices.ts'
import { type DrawFacts, decideDraw } from '../../../../src/domain/facilities/draws/decide-draw.ts'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'

const GOOD: DrawFacts = {
  deficitCents: 0n,
  limitCents: 50_000_00n,
  usedCents: 10_000_00n,
  interestCents: 100_00n,
  drawCents: 1_000_00n,
  price: ONE_USD,
  collateralValueCents: 100_000_00n,
  portfolioAgeMs: 0,
  isHealthy: true,
}

const code = (rest: Partial<DrawFacts>) => decideDraw({ ...GOOD, ...rest }, DEFAULT_POLICY)?.code

test('the limit bounds principal and reservations, to the cent, and not interest', () => {
  expect(code({ drawCents: 39_900_00n })).toBeUndefined()
  expect(code({ drawCents: 40_000_00n, interestCents: 0n })).toBeUndefined()
  expect(code({ drawCents: 40_000_01n, interestCents: 0n })).toBe('credit_limit_exceeded')
})

test.each([
  [
    { drawCents: 40_000_01n },
    'The draw adds 40000.01 USD to the debt; 40000.00 USD of the limit is left.',
  ],
  [
    { usedCents: 50_000_01n, drawCents: 1n },
    'The draw adds 0.01 USD to the debt; 0.00 USD of the limit is left.',
  ],
])('the refusal of a draw above the limit shows what is left of it: %#', (facts, detail) => {
  expect(decideDraw({ ...GOOD, ...facts }, DEFAULT_POLICY)?.detail).toBe(detail)
})

test('a deficit of a cent blocks every draw, also one above the limit', () => {
  expect(code({ deficitCents: 1n })).toBe('draws_blocked')
  expect(code({ deficitCents: 1n, drawCents: 40_000_01n })).toBe('draws_blocked')
})

test('the loan-to-value counts the draw, the reservations and the interest, to the cent', () => {
  expect(code({ collateralValueCents: 22_200_00n })).toBeUndefined()
  expect(code({ collateralValueCents: 22_199_99n })).toBe('draws_blocked')
})

test('a facility that is not healthy, or a portfolio older than a day, draws nothing', () => {
  expect(code({ isHealthy: false })).toBe('draws_blocked')
  expect(code({ portfolioAgeMs: 86_400_000 })).toBeUndefined()
  expect(code({ portfolioAgeMs: 86_400_001 })).toBe('draws_blocked')
  expect(code({ portfolioAgeMs: undefined })).toBe('draws_blocked')
})

test('a coin under 0.99 dollars is not drawn, and at 0.99 it is', () => {
  expect(code({ price: 99_000_000n })).toBeUndefined()
  expect(code({ price: 98_999_999n })).toBe('draws_blocked')
  expect(decideDraw({ ...GOOD, price: 1n }, DEFAULT_POLICY)?.detail).toBe(
    'USDC is below 0.99 USD: draw USD, or wait until its price is back.',
  )
})

test('no draw that is allowed leaves limit or loan-to-value exceeded', () => {
  const cents = fc.bigInt(0n, 10n ** 9n)
  fc.assert(
    fc.property(cents, cents, cents, cents, cents, (limit, used, interest, asked, value) => {
      const facts = {
        limitCents: limit,
        usedCents: used,
        interestCents: interest,
        drawCents: asked,
        collateralValueCents: value,
      }
      const isAllowed = code(facts) === undefined
      const isWithin = used + asked <= limit && 2n * (used + asked + interest) <= value
      expect(isAllowed).toBe(isWithin)
    }),
  )
})
