import { divideUp, maxOf, minOf } from '../../../core/money.ts'
import { addMs } from '../../../core/time.ts'
import type { Prices } from '../../collateral/prices.ts'
import {
  type Haircuts,
  type Position,
  type Valuation,
  type ValuedPosition,
  valuePortfolio,
} from '../../collateral/valuation.ts'
import type { WindowValues } from './facts.ts'

const STALE_SHARE_DIVISOR = 100n

export type EvaluatedCollateral = {
  latest: Valuation
  /** Of the custodian's last answer, where that is not about the push. */
  held?: readonly ValuedPosition[] | undefined
  isStale: boolean
  /** At which a cure is evaluated, the latest last. */
  rounds: readonly Prices[]
  /** The positions that count towards a cure. */
  curing: readonly Position[]
  /** Undefined while stale or without a round old enough. */
  values: WindowValues | undefined
}

/** What else than the positions is evaluated, where it is not the same. */
export type OtherPositions = {
  /** The positions that count towards a cure. */
  curing?: readonly Position[] | undefined
  /** What is pushed and would count towards a cure if the custodian confirmed it. */
  claimed?: readonly Position[] | undefined
  /** By the custodian's last answer, where that is not about the push. */
  held?: readonly Position[] | undefined
}

type CollateralTerms = OtherPositions & { now: Date; staleMs: number; haircuts: Haircuts }

/** The window's last round is the latest; without a round old enough nothing is evaluated. */
export function evaluateCollateral(
  positions: readonly Position[],
  prices: { latest: Prices; window: readonly Prices[] | undefined },
  { now, staleMs, haircuts, curing, claimed, held }: CollateralTerms,
): EvaluatedCollateral {
  const { window } = prices
  const latest = valuePortfolio(positions, prices.latest, haircuts)
  const valuedHeld = held && valuePortfolio(held, prices.latest, haircuts).positions
  const isStale = isStaleValuation(latest, prices.latest, addMs(now, -staleMs))
  const known = { latest, held: valuedHeld, isStale, curing: curing ?? positions }
  if (isStale || !window || window.length === 0) {
    return { ...known, rounds: [prices.latest], values: undefined }
  }
  const rounds = [...window, prices.latest]
  const valuesOf = (held: readonly Position[]) =>
    rounds.map((round) => valuePortfolio(held, round, haircuts).valueCents)
  const all = valuesOf(positions)
  const least = curing ? valuesOf(curing) : all
  const values = {
    highCents: all.reduce(maxOf),
    lowCents: least.reduce(minOf),
    latestCents: latest.valueCents,
    ...(curing && { latestLowCents: least.at(-1) ?? 0n }),
    ...(claimed && { claimedCents: valuesOf(claimed).at(-1) ?? 0n }),
    ...(held && { heldCents: valuesOf(held).reduce(maxOf) }),
  }
  return { ...known, rounds, values }
}

/** Whether prices from before `freshSince` are too large a share of the value. Collateral without
 * any price could be worth anything. */
function isStaleValuation(valuation: Valuation, prices: Prices, freshSince: Date): boolean {
  if (valuation.unpriced.length > 0) return true
  const staleCents = valuation.positions.reduce((sum, { asset, valueCents }) => {
    const at = prices.get(asset)?.at
    const isOld = at === undefined || at < freshSince
    return isOld ? sum + valueCents : sum
  }, 0n)
  return staleCents > divideUp(valuation.valueCents, STALE_SHARE_DIVISOR)
}
