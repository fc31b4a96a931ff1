import fc from 'fast-check'
import { HOUR_MS } from '../../../../src/core/time.ts'
import { DEFAULT_MARGIN_POLICY, type MarginPolicy } from '../../../../src/domain/margin/policy.ts'

/** Terms that make sense: target < cure < floor = tier 1 < tier 2 < tier 3 < critical < deep. */
export const marginPolicies: fc.Arbitrary<MarginPolicy> = fc
  .record({
    ratios: fc.uniqueArray(fc.bigInt(100_000n, 990_000n), { minLength: 7, maxLength: 7 }),
    hours: fc.array(fc.integer({ min: 1, max: 96 }), { minLength: 3, maxLength: 3 }),
    saleFeePpm: fc.bigInt(0n, 100_000n),
    dustCents: fc.bigInt(0n, 10_000_00n),
    leastCents: fc.bigInt(1n, 100_00n),
  })
  .map(({ ratios, hours, ...terms }) => {
    const [target = 0n, cure = 0n, first = 0n, second = 0n, third = 0n, critical = 0n, deep = 0n] =
      ratios.sort((a, b) => (a < b ? -1 : 1))
    const [short = 0, middle = 0, long = 0] = hours.sort((a, b) => a - b)
    return {
      ...DEFAULT_MARGIN_POLICY,
      ...terms,
      version: 'any',
      targetLtvPpm: target,
      cureLtvPpm: cure,
      floorLtvPpm: first,
      tiers: [
        { tier: 1, aboveLtvPpm: first, windowMs: long * HOUR_MS },
        { tier: 2, aboveLtvPpm: second, windowMs: middle * HOUR_MS },
        { tier: 3, aboveLtvPpm: third, windowMs: short * HOUR_MS },
      ],
      criticalLtvPpm: critical,
      deepLtvPpm: deep,
    }
  })
