import type { Logger } from 'pino'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import type { OutboundProxy } from '../outbound/outbound-proxy.ts'
import {
  type CallWatch,
  createGuardedHttp,
  type GuardedHttp,
  toBreakerLimits,
  type VendorLimits,
} from '../vendors/guarded-http.ts'
import { createBitfinex } from './bitfinex.ts'
import { createBitstamp } from './bitstamp.ts'
import { createCoinbase } from './coinbase.ts'
import { createKraken } from './kraken.ts'
import { createTickerClient } from './read-tickers.ts'

export type ExchangeUrls = Record<'coinbase' | 'kraken' | 'bitstamp' | 'bitfinex', string>

/** Each has half a period to answer, so that a round ends before the next begins. */
export function createExchanges(
  {
    exchangeUrls,
    priceRoundSeconds,
    vendorLimits,
    outboundProxy: proxy,
  }: {
    exchangeUrls: ExchangeUrls
    priceRoundSeconds: number
    vendorLimits: VendorLimits
    outboundProxy?: OutboundProxy | undefined
  },
  { clock, logger, watch }: { clock: Clock; logger: Logger; watch: CallWatch },
): { sources: readonly QuoteSource[]; close(): Promise<void> } {
  const opened: GuardedHttp[] = []
  const open = (exchange: string) => {
    const http = createGuardedHttp(exchange, {
      deadlineMs: (priceRoundSeconds * SECOND_MS) / 2,
      breaker: toBreakerLimits(vendorLimits),
      ...{ proxy, clock, watch, logger },
    })
    opened.push(http)
    return createTickerClient(http, {
      clock,
      onMissing: (source, error) =>
        logger.warn({ exchange: source, err: error }, 'no price from exchange'),
    })
  }
  const sources = [
    createCoinbase(open('coinbase'), exchangeUrls.coinbase),
    createKraken(open('kraken'), exchangeUrls.kraken),
    createBitstamp(open('bitstamp'), exchangeUrls.bitstamp),
    createBitfinex(open('bitfinex'), exchangeUrls.bitfinex),
  ]
  return {
    sources,
    async close() {
      await Promise.all(opened.map((http) => http.close()))
    },
  }
}
