import { z } from 'zod'
import { listMarketFacts } from '../../core/assets.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createTickerSource, type TickerClient, tickerPrice } from './read-tickers.ts'

const milliseconds = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform((text) => new Date(Number(text)))

/** id, time, amount, price */
const trade = z.tuple([z.unknown(), milliseconds, z.unknown(), tickerPrice], z.unknown())

/** The last trade, because a ticker of Bitfinex has no time and few trade there. */
export function createBitfinex(client: TickerClient, baseUrl: string): QuoteSource {
  const requests = listMarketFacts(({ bitfinex }) => bitfinex).map(([asset, pair]) => async () => {
    const url = `${baseUrl}/v2/trades/${pair}/hist?limit=1`
    const [[, at, , price]] = await client.read(url, z.tuple([trade]))
    return new Map([[asset, { price, at }]])
  })
  return createTickerSource('bitfinex', client, requests)
}
