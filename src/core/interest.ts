import { divideUp } from './money.ts'
import { ONE_PPM } from './ratio.ts'
import { DAY_MS } from './time.ts'

const MS_PER_YEAR = BigInt(365 * DAY_MS)

/**
 * Simple interest is kept exact as an integer number of cent·ppm·ms; one cent is this many of them
 * (ACT/365F: a year has 365 days, whatever the calendar says).
 */
export const INTEREST_PER_CENT = ONE_PPM * MS_PER_YEAR

/**
 * Interest on `principalCents` at `ratePpm` a year over [from, to), as an exact numerator over
 * `INTEREST_PER_CENT`. Additive: accrue(a, c) = accrue(a, b) + accrue(b, c).
 */
export function accrueInterest(
  principalCents: bigint,
  ratePpm: bigint,
  from: Date,
  to: Date,
): bigint {
  return principalCents * ratePpm * BigInt(to.getTime() - from.getTime())
}

/** A numerator in cents, rounded up: interest is shown and booked in whole cents. */
export function interestCents(numerator: bigint): bigint {
  return divideUp(numerator, INTEREST_PER_CENT)
}
