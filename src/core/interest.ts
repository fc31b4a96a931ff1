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

/** A rate that was in force until an instant. */
export type EarlierRate = { ratePpm: bigint; until: Date }

/** The rate in force, and those before it, oldest first. */
export type Rates = { ratePpm: bigint; earlierRates: readonly EarlierRate[] }

/** As `accrueInterest`, each stretch at its own rate. */
export function accrueByRates(
  principalCents: bigint,
  { ratePpm, earlierRates }: Rates,
  from: Date,
  to: Date,
): bigint {
  let [numerator, since] = [0n, from]
  for (const earlier of earlierRates) {
    const until = earlier.until < to ? earlier.until : to
    if (until <= since) continue
    numerator += accrueInterest(principalCents, earlier.ratePpm, since, until)
    since = until
  }
  return numerator + accrueInterest(principalCents, ratePpm, since, to)
}

/** Rounded up: interest is shown and booked in whole cents. */
export function interestCents(numerator: bigint): bigint {
  return divideUp(numerator, INTEREST_PER_CENT)
}
