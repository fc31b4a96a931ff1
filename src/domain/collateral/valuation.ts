import { listFacts } from '../../core/assets.ts'
import {
  divideDown,
  divideUp,
  formatDecimal,
  fractionDigits,
  MOST_WHOLE_DIGITS,
  minOf,
  unitsPerWhole,
} from '../../core/money.ts'
import { ONE_PPM } from '../../core/ratio.ts'
import { CENTS_PER_USD, ONE_USD, PRICE_DIGITS, type Prices } from './prices.ts'

export type Position = { asset: string; units: bigint }

export type Haircuts = ReadonlyMap<string, bigint>

export const HAIRCUTS_PPM: Haircuts = new Map(listFacts(({ haircutPpm }) => haircutPpm))

const PPM_DIGITS = 6

const IS_DOLLAR_CLAIM = new Map(listFacts(({ isDollarClaim }) => isDollarClaim))

export type ValuedPosition = Position & {
  /** 10^-8 USD per whole unit. */
  price: bigint | undefined
  haircutPpm: bigint | undefined
  valueCents: bigint
}

export type Valuation = {
  valueCents: bigint
  positions: ValuedPosition[]
  unpriced: string[]
  oldestPriceAt: Date | undefined
}

/** ⌊quantity · price · (1 − haircut)⌋ to the cent for each position, and the exact sum. */
export function valuePortfolio(
  positions: readonly Position[],
  prices: Prices,
  haircutsPpm: Haircuts,
): Valuation {
  const valued = positions.map((position) => valuePosition(position, prices, haircutsPpm))
  // At a haircut of 1 a position counts for nothing at any price.
  const collateral = valued.filter(
    ({ units, haircutPpm }) => units > 0n && haircutPpm !== undefined && haircutPpm < ONE_PPM,
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

/** ⌊quantity · price⌋ to the cent. */
export function marketCents({ asset, units }: Position, price: bigint): bigint {
  return divideDown(units * price * CENTS_PER_USD, unitsPerWhole(asset) * ONE_USD)
}

/** ⌈quantity · price⌉ to the cent: what such a quantity costs. */
export function marketCentsUp({ asset, units }: Position, price: bigint): bigint {
  return divideUp(units * price * CENTS_PER_USD, unitsPerWhole(asset) * ONE_USD)
}

/** The least units that count for so many cents. */
export function leastUnitsFor(
  asset: string,
  price: bigint,
  haircutPpm: bigint,
  cents: bigint,
): bigint {
  const perUnit = price * (ONE_PPM - haircutPpm) * CENTS_PER_USD
  return divideUp(cents * unitsPerWhole(asset) * ONE_USD * ONE_PPM, perUnit)
}

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

/** No quote has more digits before the point. */
const PRICE_BOUND = 10n ** BigInt(MOST_WHOLE_DIGITS + PRICE_DIGITS)

/** The highest price at which a position counts for at most so many cents. Undefined where it counts
 * for more at every price, or for as little at every price. */
export function highestPriceFor(
  { asset, units }: Position,
  haircutPpm: bigint,
  mostCents: bigint,
): bigint | undefined {
  const perPrice = units * (ONE_PPM - haircutPpm) * CENTS_PER_USD
  if (perPrice === 0n) return undefined
  const scale = unitsPerWhole(asset) * ONE_USD * ONE_PPM
  const price = divideUp((mostCents + 1n) * scale, perPrice) - 1n
  const bound = IS_DOLLAR_CLAIM.get(asset) ? ONE_USD : PRICE_BOUND
  return price > 0n && price < bound ? price : undefined
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

/** Cents per smallest unit, exact decimal text; 0 without a price. A position's value is its units
 * times this, rounded down. */
export function centsPerUnit(prices: Prices, haircutsPpm: Haircuts): Map<string, string> {
  const entries = [...haircutsPpm].map(([asset, haircutPpm]) => {
    const price = countedPrice(asset, prices) ?? 0n
    const digits = fractionDigits(asset) + PRICE_DIGITS + PPM_DIGITS
    return [asset, formatDecimal(price * (ONE_PPM - haircutPpm) * CENTS_PER_USD, digits)] as const
  })
  return new Map(entries)
}

/** A claim on a dollar counts at one dollar at most. */
export function countedPrice(asset: string, prices: Prices): bigint | undefined {
  const price = prices.get(asset)?.price
  if (price === undefined || !IS_DOLLAR_CLAIM.get(asset)) return price
  return minOf(ONE_USD, price)
}
