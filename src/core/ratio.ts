import { divideUp, formatFixed } from './money.ts'

/** One, in parts per million: ratios, haircuts and rates are whole parts of it. */
export const ONE_PPM = 1_000_000n

const LARGEST_LTV_PPM = 999_999n * ONE_PPM

/** Whether debt / value > limit, exactly: no division, and no value means any debt is above. */
export function exceedsLtv(debtCents: bigint, valueCents: bigint, limitPpm: bigint): boolean {
  return debtCents * ONE_PPM > limitPpm * valueCents
}

/**
 * Loan-to-value as the interface prints it: six digits, rounded up; no debt is 0, and debt over no
 * value the largest number there is.
 */
export function formatLtv(debtCents: bigint, valueCents: bigint): string {
  if (debtCents === 0n) return formatFixed(0n, 6)
  const ppm = valueCents === 0n ? LARGEST_LTV_PPM : divideUp(debtCents * ONE_PPM, valueCents)
  return formatFixed(ppm < LARGEST_LTV_PPM ? ppm : LARGEST_LTV_PPM, 6)
}

/** The collateral value at which a debt is just at `limitPpm`: ⌈debt / limit⌉ in cents. */
export function floorCents(debtCents: bigint, limitPpm: bigint): bigint {
  return divideUp(debtCents * ONE_PPM, limitPpm)
}
