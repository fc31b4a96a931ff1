import {
  divideUp,
  formatDecimal,
  formatFixed,
  formatUsd,
  QUOTED_ASSETS,
} from '../../../core/money.ts'
import { exceedsLtv, floorCents, ONE_PPM } from '../../../core/ratio.ts'
import { formatPrice } from '../../collateral/prices.ts'
import { highestPriceFor, type Valuation } from '../../collateral/valuation.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { Case } from '../case.ts'

export const LINES = ['tier_1', 'tier_2', 'tier_3', 'critical', 'sale'] as const

export type Line = (typeof LINES)[number]

/** A line holds at its prices and below, each with all else equal. */
export type Level = {
  line: Line
  ltvPpm: bigint
  isReached: boolean
  /** The highest value of the whole collateral at which the line holds. */
  valueCents: bigint
  /** Of the whole collateral, rounded up: at this fall the line holds. */
  fallPpm: bigint
  /** Only of assets of which the price alone decides. */
  prices: { asset: string; price: bigint }[]
  /** The line counts after this instant; undefined: it counts now. */
  from: Date | undefined
}

type LineTerms = Pick<Level, 'line' | 'ltvPpm' | 'from'>

/** None where nothing can be raised or sold: without debt, or below the least one. */
export function levelsOf(evaluated: Case, now: Date): Level[] {
  const debtCents = totalDebtCents(evaluated.facility.debt, now)
  const { latest } = evaluated.collateral
  if (debtCents === 0n) return []
  return linesOf(evaluated, debtCents).map((terms) => toLevel(terms, latest, debtCents))
}

function linesOf({ policy, warning, hasLiveCall }: Case, debtCents: bigint): LineTerms[] {
  const sale = (ltvPpm: bigint, from?: Date) => ({ line: 'sale' as const, ltvPpm, from })
  // A live call sells until the floor of a cure is clear, and no warning is raised meanwhile.
  if (hasLiveCall) return [sale(policy.cureLtvPpm)]
  if (!warning && debtCents < policy.leastCents) return []
  return [
    ...policy.tiers.map(({ tier, aboveLtvPpm }) => {
      return { line: `tier_${tier}` as const, ltvPpm: aboveLtvPpm, from: undefined }
    }),
    { line: 'critical', ltvPpm: policy.criticalLtvPpm, from: undefined },
    warning ? sale(policy.cureLtvPpm, warning.windowDeadline) : sale(policy.criticalLtvPpm),
  ]
}

function toLevel(terms: LineTerms, valuation: Valuation, debtCents: bigint): Level {
  const { valueCents } = valuation
  const mostCents = floorCents(debtCents, terms.ltvPpm) - 1n
  const missing = valueCents - mostCents
  return {
    ...terms,
    isReached: exceedsLtv(debtCents, valueCents, terms.ltvPpm),
    valueCents: mostCents,
    fallPpm: missing > 0n ? divideUp(missing * ONE_PPM, valueCents) : 0n,
    prices: pricesAt(valuation, mostCents),
  }
}

const HAS_MARKET = new Set<string>(QUOTED_ASSETS)

function pricesAt({ valueCents, positions }: Valuation, mostCents: bigint): Level['prices'] {
  return positions.flatMap((position) => {
    const { asset, haircutPpm } = position
    if (haircutPpm === undefined || !HAS_MARKET.has(asset)) return []
    const restCents = valueCents - position.valueCents
    const price = highestPriceFor(position, haircutPpm, mostCents - restCents)
    return price === undefined ? [] : [{ asset, price }]
  })
}

export type LevelBody = {
  line: Line
  ltv: string
  reached: boolean
  value_usd: string
  fall_percent: string
  prices: { asset: string; price_usd: string }[]
  from?: string
}

export function toLevelBody(level: Level): LevelBody {
  return {
    line: level.line,
    ltv: formatDecimal(level.ltvPpm, 6),
    reached: level.isReached,
    value_usd: formatUsd(level.valueCents),
    fall_percent: formatFixed(level.fallPpm, 4),
    prices: level.prices.map(({ asset, price }) => ({ asset, price_usd: formatPrice(price) })),
    ...(level.from && { from: level.from.toISOString() }),
  }
}
