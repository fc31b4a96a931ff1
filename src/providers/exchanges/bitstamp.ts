import { z } from 'zod'
import { listMarketFacts } from '../../core/assets.ts'
import { SECOND_MS } from '../../core/time.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createTickerSource, type TickerClient, tickerPrice } from './read-tickers.ts'

const tickerSchema = z.object({
  last: tickerPrice,
  timestamp: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform((seconds) => new Date(Number(seconds) * SECOND_MS)),
})

export function createBitstamp(client: TickerClient, baseUrl: string): QuoteSource {
  const requests = listMarketFacts(({ bitstamp }) => bitstamp).map(([asset, pair]) => async () => {
    const { last, timestamp } = await client.read(`${baseUrl}/api/v2/ticker/${pair}/`, tickerSchema)
    return new Map([[asset, { price: last, at: timestamp }]])
  })
  return createTickerSource('bitstamp', client, requests)
}
