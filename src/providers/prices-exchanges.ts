import {
  readLatestPrices,
  readPriceWindow,
  readQuotesAt,
} from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'

/** The same for every tenant: the rounds that the workers accepted. */
export function createExchangePrices(): PriceFeed {
  return {
    latest: (db, _tenantId, now) => readLatestPrices(db, now),
    window: (db, _tenantId, window) => readPriceWindow(db, window),
    quotesAt: readQuotesAt,
  }
}
