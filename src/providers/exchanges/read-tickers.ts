import { z } from 'zod'
import type { QuotedAsset } from '../../core/assets.ts'
import { parseDecimal } from '../../core/money.ts'
import type { Clock } from '../../core/time.ts'
import type { Quote } from '../../domain/collateral/accept-round.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { PRICE_DIGITS } from '../../domain/collateral/prices.ts'
import type { GuardedHttp } from '../vendors/guarded-http.ts'

/** How a source reaches its exchange, and whom it tells when it cannot. */
export type TickerClient = {
  /** Reads what is at an address; throws when there is nothing of that form in time. */
  read<Answer>(url: string, form: z.ZodType<Answer>): Promise<Answer>
  clock: Clock
  /** Told of each quote that is missing, with why. */
  onMissing(source: string, error: unknown): void
}

/** A client for the public tickers of one exchange, over its guarded way. */
export function createTickerClient(
  http: GuardedHttp,
  { clock, onMissing }: Pick<TickerClient, 'clock' | 'onMissing'>,
): TickerClient {
  return {
    clock,
    onMissing,
    read: (url, form) =>
      http.send({
        operation: 'ticker',
        method: 'GET',
        url,
        headers: {},
        read: (answer) => form.parse(answer),
      }),
  }
}

/** The last trade of one asset. */
export type Ticker = { price: bigint; at: Date }

/**
 * A source made of requests that may fail each for itself: a request gives the tickers it can, and
 * throws when it gives none.
 */
export function createTickerSource(
  name: string,
  client: TickerClient,
  requests: readonly (() => Promise<ReadonlyMap<QuotedAsset, Ticker>>)[],
): QuoteSource {
  return {
    name,
    async read() {
      const answers = await Promise.allSettled(requests.map((ask) => ask()))
      const quotes = new Map<QuotedAsset, Quote>()
      for (const answer of answers) {
        if (answer.status === 'rejected') {
          client.onMissing(name, answer.reason)
          continue
        }
        for (const [asset, ticker] of answer.value) quotes.set(asset, { source: name, ...ticker })
      }
      return quotes
    },
  }
}

/** A price as tickers write it, read in 10^-8 USD; what is finer is dropped, and nil is no price. */
export const tickerPrice = z.string().transform((text, context) => {
  const finest = parseDecimal(text, FINEST_DIGITS)
  const price = finest === undefined ? 0n : finest / 10n ** BigInt(FINEST_DIGITS - PRICE_DIGITS)
  if (price > 0n) return price
  context.addIssue('must be a plain decimal above 0')
  return z.NEVER
})

const FINEST_DIGITS = 18
