import {
  readLatestPrices,
  readPriceWindow,
  readQuotesAt,
} from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'

/** The market of the live stack, the same for every tenant: the rounds that its workers accepted. */
export function createExchangePrices(): PriceFeed {
  return {
    latest: (db, _tenantId, now) => readLatestPrices(db, now),
    window: (db, _tenantId, window) => readPriceWindow(db, window),
    quotesAt: readQuotesAt,
  }
}
