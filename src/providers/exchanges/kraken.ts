import { z } from 'zod'
import type { QuotedAsset, QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { createTickerSource, type Ticker, type TickerClient, tickerPrice } from './read-tickers.ts'

/** The names that Kraken answers to, and those it answers with. */
const PAIRS: readonly (readonly [QuotedAsset, string, string])[] = [
  ['BTC', 'XBTUSD', 'XXBTZUSD'],
  ['ETH', 'ETHUSD', 'XETHZUSD'],
  ['USDC', 'USDCUSD', 'USDCUSD'],
]

const answerSchema = z.object({
  error: z.array(z.string()).max(0),
  result: z.record(z.string(), z.unknown()),
})

/** `c` is the last trade: its price and its volume. */
const pairSchema = z.object({ c: z.tuple([tickerPrice], z.unknown()) })

/** Kraken: the last trade of all pairs in one answer, which does not say when: it counts as asked for. */
export function createKraken(client: TickerClient, baseUrl: string): QuoteSource {
  const asked = PAIRS.map(([, pair]) => pair).join(',')
  const readAll = async () => {
    const at = client.clock()
    const url = `${baseUrl}/0/public/Ticker?pair=${asked}`
    const { result } = await client.read(url, answerSchema)
    const tickers = new Map<QuotedAsset, Ticker>()
    for (const [asset, , named] of PAIRS) {
      const pair = pairSchema.safeParse(result[named])
      if (pair.success) tickers.set(asset, { price: pair.data.c[0], at })
      else client.onMissing('kraken', pair.error)
    }
    return tickers
  }
  return createTickerSource('kraken', client, [readAll])
}
