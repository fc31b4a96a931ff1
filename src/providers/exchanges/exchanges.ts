import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { type Clock, SECOND_MS } from '../../core/time.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createBitstamp } from './bitstamp.ts'
import { createCoinbase } from './coinbase.ts'
import { createKraken } from './kraken.ts'
import { createTickerClient } from './read-tickers.ts'

/**
 * The exchanges that live prices are made from. Each is given half a round's period to answer, so
 * that its round is over before the next begins. Nothing is connected to before the first is read.
 */
export function createExchanges(
  { exchangeUrls, priceRoundSeconds }: Pick<Config, 'exchangeUrls' | 'priceRoundSeconds'>,
  { clock, logger }: { clock: Clock; logger: Logger },
): { sources: readonly QuoteSource[]; close(): Promise<void> } {
  const client = createTickerClient({
    deadlineMs: (priceRoundSeconds * SECOND_MS) / 2,
    clock,
    onMissing: (exchange, error) => logger.warn({ exchange, err: error }, 'no price from exchange'),
  })
  const sources = [
    createCoinbase(client, exchangeUrls.coinbase),
    createKraken(client, exchangeUrls.kraken),
    createBitstamp(client, exchangeUrls.bitstamp),
  ]
  return { sources, close: () => client.close() }
}
