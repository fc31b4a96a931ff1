import { divideUp, maxOf, minOf } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Prices } from '../../collateral/prices.ts'
import {
  HAIRCUTS_PPM,
  type Haircuts,
  type Position,
  type Valuation,
  valuePortfolio,
} from '../../collateral/valuation.ts'
import type { WindowValues } from './ladder.ts'

/** Stale positions matter when they are more than this share of the value: one in a hundred. */
const STALE_SHARE_DIVISOR = 100n

/** Collateral as it is judged: at the latest prices, and at each round of the window. */
export type EvaluatedCollateral = {
  latest: Valuation
  isStale: boolean
  /** Undefined while stale or without a round old enough. */
  values: WindowValues | undefined
}

/**
 * Values today's positions at every round of the window. The window's last round is the latest; a
 * window without a round old enough judges nothing.
 */
export function evaluateCollateral(
  positions: readonly Position[],
  prices: { latest: Prices; window: readonly Prices[] | undefined },
  { now, staleMs, haircuts = HAIRCUTS_PPM }: { now: Date; staleMs: number; haircuts?: Haircuts },
): EvaluatedCollateral {
  const { window } = prices
  const latest = valuePortfolio(positions, prices.latest, haircuts)
  const isStale = isStaleValuation(latest, prices.latest, addMs(now, -staleMs))
  if (isStale || !window || window.length === 0) return { latest, isStale, values: undefined }
  const values = window.map((round) => valuePortfolio(positions, round, haircuts).valueCents)
  const all = [...values, latest.valueCents]
  return {
    latest,
    isStale,
    values: {
      highCents: all.reduce(maxOf),
      lowCents: all.reduce(minOf),
      latestCents: latest.valueCents,
    },
  }
}

/**
 * Whether positions whose price is from before `freshSince` are too large a share of the value to be
 * judged. Collateral that never had a price could be worth anything: nothing is judged without it.
 */
function isStaleValuation(valuation: Valuation, prices: Prices, freshSince: Date): boolean {
  if (valuation.unpriced.length > 0) return true
  const staleCents = valuation.positions.reduce((sum, { asset, valueCents }) => {
    const at = prices.get(asset)?.at
    const isOld = at === undefined || at < freshSince
    return isOld ? sum + valueCents : sum
  }, 0n)
  return staleCents > divideUp(valuation.valueCents, STALE_SHARE_DIVISOR)
}
