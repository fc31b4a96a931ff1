import { z } from 'zod'
import { listMarketFacts } from '../../core/assets.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createTickerSource, type TickerClient, tickerPrice } from './read-tickers.ts'

const tickerSchema = z.object({
  price: tickerPrice,
  time: z.iso.datetime().transform((text) => new Date(text)),
})

export function createCoinbase(client: TickerClient, baseUrl: string): QuoteSource {
  const requests = listMarketFacts(({ coinbase }) => coinbase).map(
    ([asset, product]) =>
      async () => {
        const { price, time } = await client.read(
          `${baseUrl}/products/${product}/ticker`,
          tickerSchema,
        )
        return new Map([[asset, { price, at: time }]])
      },
  )
  return createTickerSource('coinbase', client, requests)
}
