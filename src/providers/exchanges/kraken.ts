import { z } from 'zod'
import { listMarketFacts, type QuotedAsset } from '../../core/assets.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createTickerSource, type Ticker, type TickerClient, tickerPrice } from './read-tickers.ts'

/** `error` may have warnings beside prices. */
const answerSchema = z.object({ result: z.record(z.string(), z.unknown()) })

/** `c` is the last trade. */
const pairSchema = z.object({ c: z.tuple([tickerPrice], z.unknown()) })

/** Kraken gives no time, so its tickers count as of the request. */
export function createKraken(client: TickerClient, baseUrl: string): QuoteSource {
  const pairs = listMarketFacts(({ kraken }) => kraken)
  const requested = pairs.map(([, { request }]) => request).join()
  const readAll = async () => {
    const at = client.clock()
    const url = `${baseUrl}/0/public/Ticker?pair=${requested}`
    const { result } = await client.read(url, answerSchema)
    const tickers = new Map<QuotedAsset, Ticker>()
    for (const [asset, { answer }] of pairs) {
      const pair = pairSchema.safeParse(result[answer])
      if (pair.success) tickers.set(asset, { price: pair.data.c[0], at })
      else client.onMissing('kraken', pair.error)
    }
    return tickers
  }
  return createTickerSource('kraken', client, [readAll])
}
