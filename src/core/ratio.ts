import { divideUp, formatFixed } from './money.ts'

export const ONE_PPM = 1_000_000n

export const LARGEST_LTV_PPM = 999_999n * ONE_PPM

/** Exact, by cross-multiplication; without value, any debt exceeds. */
export function exceedsLtv(debtCents: bigint, valueCents: bigint, limitPpm: bigint): boolean {
  return debtCents * ONE_PPM > limitPpm * valueCents
}

/** Six digits, rounded up; at most 999999.000000, also for debt without value. */
export function formatLtv(debtCents: bigint, valueCents: bigint): string {
  if (debtCents === 0n) return formatFixed(0n, 6)
  const ppm = valueCents === 0n ? LARGEST_LTV_PPM : divideUp(debtCents * ONE_PPM, valueCents)
  return formatFixed(ppm < LARGEST_LTV_PPM ? ppm : LARGEST_LTV_PPM, 6)
}

/** ⌈debt / limit⌉ in cents: the value at which debt / value is `limitPpm`. */
export function floorCents(debtCents: bigint, limitPpm: bigint): bigint {
  return divideUp(debtCents * ONE_PPM, limitPpm)
}
