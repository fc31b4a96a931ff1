import { formatDecimal, parseDecimal } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'

/** Prices are whole parts of 10^-8 USD per whole unit of an asset. */
export const PRICE_DIGITS = 8

/** The price of a dollar, which is always that. */
export const ONE_USD = 10n ** BigInt(PRICE_DIGITS)

/** The last accepted price of each asset (10^-8 USD) and the domain time of its acceptance. */
export type Prices = ReadonlyMap<string, { price: bigint; at: Date }>

/** Where prices come from: the last accepted ones, as a tenant sees them. USD is always there. */
export type PriceFeed = { latest(db: Db, tenantId: string, now: Date): Promise<Prices> }

/** Reads a price in USD of at most eight decimal places; undefined for anything else, and for 0. */
export function parsePrice(text: string): bigint | undefined {
  const price = parseDecimal(text, PRICE_DIGITS)
  return price === 0n ? undefined : price
}

/** Prints a price in USD, without trailing zeros. */
export function formatPrice(price: bigint): string {
  return formatDecimal(price, PRICE_DIGITS)
}
