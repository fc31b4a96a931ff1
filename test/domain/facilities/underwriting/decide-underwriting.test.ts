import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'
import {
  decideUnderwriting,
  type UnderwritingFacts,
} from '../../../../src/domain/facilities/underwriting/decide-underwriting.ts'

const GOOD: UnderwritingFacts = {
  isBorrowerEligible: true,
  deficitCents: 0n,
  limitCents: 50_000_00n,
  residencyMaxCents: undefined,
  portfolioAgeMs: 0,
  collateralValueCents: 100_000_00n,
  isAllPriced: true,
  control: 'not_required',
  isPatienceOver: false,
}

const decide = (rest: Partial<UnderwritingFacts>) =>
  decideUnderwriting({ ...GOOD, ...rest }, DEFAULT_POLICY)

const declined = (...reasons: string[]) => ({ decision: 'declined', reasons })

describe('an application', () => {
  test('an application of half the collateral is approved, of a cent more declined', () => {
    expect(decide({})).toEqual({ decision: 'approved' })
    expect(decide({ limitCents: 50_000_01n })).toEqual(declined('insufficient_collateral'))
  })

  test.each([
    [{ isBorrowerEligible: false }, 'borrower_not_eligible'],
    [{ deficitCents: 1n }, 'deficit_owed'],
    [{ limitCents: 999_99n }, 'limit_out_of_range'],
    [{ limitCents: 5_000_000_01n, collateralValueCents: 10n ** 12n }, 'limit_out_of_range'],
    [{ residencyMaxCents: 49_999_99n }, 'residency_limit_exceeded'],
    [{ control: 'denied' }, 'control_not_confirmed'],
  ] as const)('an application with %o is declined %s, whatever else is known', (facts, reason) => {
    expect(decide(facts)).toEqual(declined(reason))
    expect(decide({ ...facts, portfolioAgeMs: undefined })).toEqual(declined(reason))
  })

  test('an application is declined with every reason at once, the four weightiest at most', () => {
    const faults = { limitCents: 1n, residencyMaxCents: 0n, control: 'denied' } as const
    expect(decide({ ...faults, isBorrowerEligible: false })).toEqual(
      declined(
        'borrower_not_eligible',
        'limit_out_of_range',
        'residency_limit_exceeded',
        'control_not_confirmed',
      ),
    )
    expect(decide({ ...faults, isBorrowerEligible: false, deficitCents: 1n })).toEqual(
      declined(
        'borrower_not_eligible',
        'deficit_owed',
        'limit_out_of_range',
        'residency_limit_exceeded',
      ),
    )
  })

  test('an application of the smallest and the largest limit is in range', () => {
    expect(decide({ limitCents: 1_000_00n })).toEqual({ decision: 'approved' })
    expect(decide({ limitCents: 5_000_000_00n, collateralValueCents: 10n ** 9n })).toEqual({
      decision: 'approved',
    })
  })

  test('an application without a portfolio of the last 15 minutes waits, until its patience is over', () => {
    expect(decide({ portfolioAgeMs: 15 * 60_000 })).toEqual({ decision: 'approved' })
    for (const portfolioAgeMs of [undefined, 15 * 60_000 + 1]) {
      expect(decide({ portfolioAgeMs })).toEqual({ decision: 'wait', for: 'portfolio' })
      expect(decide({ portfolioAgeMs, isPatienceOver: true })).toEqual(declined('portfolio_stale'))
    }
    expect(decide({ isPatienceOver: true })).toEqual({ decision: 'approved' })
  })

  test('an application is never approved while the custodian has not answered', () => {
    const facts = fc.record({
      limitCents: fc.bigInt(0n, 10n ** 9n),
      collateralValueCents: fc.bigInt(0n, 10n ** 10n),
      portfolioAgeMs: fc.option(fc.nat(), { nil: undefined }),
      isPatienceOver: fc.boolean(),
      isAllPriced: fc.boolean(),
    })
    fc.assert(
      fc.property(facts, (given) => {
        expect(decide({ ...given, control: 'not_answered' }).decision).not.toBe('approved')
      }),
    )
  })

  test('an application short of collateral that has no price yet waits for the price', () => {
    const short = { collateralValueCents: 0n, isAllPriced: false }
    expect(decide(short)).toEqual({ decision: 'wait', for: 'price' })
    expect(decide({ isAllPriced: false })).toEqual({ decision: 'approved' })
  })
})
