import { divideUp } from './money.ts'
import { ONE_PPM } from './ratio.ts'
import { DAY_MS } from './time.ts'

const MS_PER_YEAR = BigInt(365 * DAY_MS)

/** Interest is an exact integer of cent·ppm·ms; this many are one cent (ACT/365F). */
export const INTEREST_PER_CENT = ONE_PPM * MS_PER_YEAR

/** Interest over [from, to), exact. Additive: accrue(a, c) = accrue(a, b) + accrue(b, c). */
export function accrueInterest(
  principalCents: bigint,
  ratePpm: bigint,
  from: Date,
  to: Date,
): bigint {
  return principalCents * ratePpm * BigInt(to.getTime() - from.getTime())
}

/** Rounded up: interest is shown and booked in whole cents. */
export function interestCents(numerator: bigint): bigint {
  return divideUp(numerator, INTEREST_PER_CENT)
}
