import { listFacts } from '../../core/assets.ts'
import {
  divideDown,
  formatDecimal,
  fractionDigits,
  minOf,
  unitsPerWhole,
} from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { CENTS_PER_USD, ONE_USD, PRICE_DIGITS, type Prices } from './prices.ts'

/** So much of one asset, in its smallest unit. */
export type Position = { asset: string; units: bigint }

/** What is taken off the market value of each asset; an asset that is not named counts nothing. */
export type Haircuts = ReadonlyMap<string, bigint>

export const HAIRCUTS_PPM: Haircuts = new Map(listFacts(({ haircutPpm }) => haircutPpm))

const PPM_DIGITS = 6

const IS_DOLLAR_CLAIM = new Map(listFacts(({ isDollarClaim }) => isDollarClaim))

/** A position with what it counts as, and from which price. */
export type ValuedPosition = Position & {
  /** The price that counts, 10^-8 USD per whole; undefined where there is none. */
  price: bigint | undefined
  /** Undefined for an asset that is no collateral. */
  haircutPpm: bigint | undefined
  valueCents: bigint
}

export type Valuation = {
  /** The exact sum of the positions' values. */
  valueCents: bigint
  positions: ValuedPosition[]
  /** The collateral held for which there is no price at all; it counts nothing. */
  unpriced: string[]
  /** When the oldest price was accepted that counts here; undefined when none does. */
  oldestPriceAt: Date | undefined
}

/**
 * What positions count as collateral: ⌊quantity · price · (1 − haircut)⌋ to the cent for each, the
 * exact sum for all (interface, Collateral view). Assets that are no collateral or have no price
 * count nothing; USDC counts at one dollar at most.
 */
export function valuePortfolio(
  positions: readonly Position[],
  prices: Prices,
  haircutsPpm: Haircuts,
): Valuation {
  const valued = positions.map((position) => valuePosition(position, prices, haircutsPpm))
  const collateral = valued.filter(
    ({ units, haircutPpm }) => units > 0n && haircutPpm !== undefined,
  )
  return {
    valueCents: valued.reduce((sum, { valueCents }) => sum + valueCents, 0n),
    positions: valued,
    unpriced: collateral.flatMap(({ asset, price }) => (price === undefined ? [asset] : [])),
    oldestPriceAt: collateral
      .flatMap(({ asset }) => prices.get(asset)?.at ?? [])
      .reduce<Date | undefined>((oldest, at) => (oldest && oldest <= at ? oldest : at), undefined),
  }
}

/** What a position is worth at a price (10^-8 USD per whole): ⌊quantity · price⌋ to the cent. */
export function marketCents({ asset, units }: Position, price: bigint): bigint {
  return divideDown(units * price * CENTS_PER_USD, unitsPerWhole(asset) * ONE_USD)
}

/** What a position counts as collateral: ⌊quantity · price · (1 − haircut)⌋ to the cent. */
export function countedCents(
  { asset, units }: Position,
  price: bigint,
  haircutPpm: bigint,
): bigint {
  return divideDown(
    units * price * (ONE_PPM - haircutPpm) * CENTS_PER_USD,
    unitsPerWhole(asset) * ONE_USD * ONE_PPM,
  )
}

function valuePosition(
  { asset, units }: Position,
  prices: Prices,
  haircutsPpm: Haircuts,
): ValuedPosition {
  const price = countedPrice(asset, prices)
  const haircutPpm = haircutsPpm.get(asset)
  const valueCents =
    price === undefined || haircutPpm === undefined
      ? 0n
      : countedCents({ asset, units }, price, haircutPpm)
  return { asset, units, price, haircutPpm, valueCents }
}

/**
 * What one unit of each collateral asset counts as at these prices, in cents, as exact decimal text;
 * 0 where there is no price. A position's value is its units times this, without the fraction.
 */
export function centsPerUnit(prices: Prices, haircutsPpm: Haircuts): Map<string, string> {
  const entries = [...haircutsPpm].map(([asset, haircutPpm]) => {
    const price = countedPrice(asset, prices) ?? 0n
    const digits = fractionDigits(asset) + PRICE_DIGITS + PPM_DIGITS
    return [asset, formatDecimal(price * (ONE_PPM - haircutPpm) * CENTS_PER_USD, digits)] as const
  })
  return new Map(entries)
}

function countedPrice(asset: string, prices: Prices): bigint | undefined {
  const price = prices.get(asset)?.price
  if (price === undefined || !IS_DOLLAR_CLAIM.get(asset)) return price
  return minOf(ONE_USD, price)
}
