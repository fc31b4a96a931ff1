import { formatDecimal, parseDecimal } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'

/** Prices are whole parts of 10^-8 USD per whole unit of an asset. */
export const PRICE_DIGITS = 8

/** The price of a dollar, which is always that. */
export const ONE_USD = 10n ** BigInt(PRICE_DIGITS)

export const CENTS_PER_USD = 100n

/** The last accepted price of each asset (10^-8 USD) and the domain time of its acceptance. */
export type Prices = ReadonlyMap<string, { price: bigint; at: Date }>

/** The span of time whose prices a margin decision looks at. */
export type PriceWindow = {
  now: Date
  /** It begins with the newest round that is at least this old… */
  confirmMs: number
  /** …and at most this. */
  longestMs: number
}

/** Where prices come from, as a tenant sees them. An asset that never had a price is missing. */
export type PriceFeed = {
  /** The last accepted prices, however old: each says since when it stands. USD is always there. */
  latest(db: Db, tenantId: string, now: Date): Promise<Prices>
  /**
   * The prices of each accepted round of the window, those that are the same once, the latest last.
   * Undefined when no round is of the age that the window must begin with.
   */
  window(db: Db, tenantId: string, window: PriceWindow): Promise<Prices[] | undefined>
  /** What the sources said of prices that were accepted at one of these instants. */
  quotesAt(db: Db, instants: readonly Date[]): Promise<AcceptedQuote[]>
}

/** One source's word on an asset, and the round in which it was accepted. */
export type AcceptedQuote = {
  asset: string
  acceptedAt: Date
  source: string
  price: bigint
  at: Date
}

/** Leaves the last of each group of equal prices, in order; being accepted later is no difference. */
export function distinctPrices(rounds: readonly Prices[]): Prices[] {
  const byPrices = new Map<string, Prices>()
  for (const prices of rounds) {
    const parts = [...prices].map(([asset, { price }]) => `${asset}=${price}`)
    const key = parts.sort().join()
    byPrices.delete(key)
    byPrices.set(key, prices)
  }
  return [...byPrices.values()]
}

/** Reads a price in USD of at most eight decimal places; undefined for anything else, and for 0. */
export function parsePrice(text: string): bigint | undefined {
  const price = parseDecimal(text, PRICE_DIGITS)
  return price === 0n ? undefined : price
}

/** Prints a price in USD, without trailing zeros. */
export function formatPrice(price: bigint): string {
  return formatDecimal(price, PRICE_DIGITS)
}
