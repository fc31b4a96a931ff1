import { formatDecimal, parseDecimal } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'

/** Prices are in 10^-8 USD per whole unit. */
export const PRICE_DIGITS = 8

export const ONE_USD = 10n ** BigInt(PRICE_DIGITS)

export const CENTS_PER_USD = 100n

export type Prices = ReadonlyMap<string, { price: bigint; at: Date }>

export type PriceWindow = {
  now: Date
  /** The window starts with the newest round at least this old… */
  confirmMs: number
  /** …and at most this old. */
  longestMs: number
}

/** An asset that never had a price is missing. */
export type PriceFeed = {
  /** However old; `at` shows since when. USD is always there. */
  latest(db: Db, tenantId: string, now: Date): Promise<Prices>
  /** Distinct prices of the rounds, the latest last. Undefined without a round old enough. */
  window(db: Db, tenantId: string, window: PriceWindow): Promise<Prices[] | undefined>
  quotesAt(db: Db, instants: readonly Date[]): Promise<AcceptedQuote[]>
}

export type AcceptedQuote = {
  asset: string
  acceptedAt: Date
  source: string
  price: bigint
  at: Date
}

/** Keeps the last of equal prices; the time of acceptance makes no difference. */
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

export function parsePrice(text: string): bigint | undefined {
  const price = parseDecimal(text, PRICE_DIGITS)
  return price === 0n ? undefined : price
}

export function formatPrice(price: bigint): string {
  return formatDecimal(price, PRICE_DIGITS)
}
