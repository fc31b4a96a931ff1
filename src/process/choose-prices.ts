import type { Config } from '../config/config.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import { createExchangePrices } from '../providers/prices-exchanges.ts'
import { createUnquotedPrices } from '../providers/prices-none.ts'
import { createSandboxPrices } from '../providers/sandbox/prices-sandbox.ts'

export function choosePrices(config: Pick<Config, 'pricesProvider' | 'sandboxMarket'>): PriceFeed {
  switch (config.pricesProvider) {
    case 'sandbox':
      return createSandboxPrices(config.sandboxMarket)
    case 'exchanges':
      return createExchangePrices()
    case 'none':
      return createUnquotedPrices()
    default: {
      const unreachable: never = config.pricesProvider
      return unreachable
    }
  }
}
