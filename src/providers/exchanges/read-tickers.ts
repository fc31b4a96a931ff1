import { z } from 'zod'
import type { QuotedAsset } from '../../core/assets.ts'
import { parseDecimal } from '../../core/money.ts'
import type { Clock } from '../../core/time.ts'
import type { Quote } from '../../domain/collateral/accept-round.ts'
import type { QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { PRICE_DIGITS } from '../../domain/collateral/prices.ts'
import type { GuardedHttp } from '../vendors/guarded-http.ts'

export type TickerClient = {
  /** Throws when the answer has another form or does not come in time. */
  read<Answer>(url: string, form: z.ZodType<Answer>): Promise<Answer>
  clock: Clock
  onMissing(source: string, error: unknown): void
}

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

export type Ticker = { price: bigint; at: Date }

/** One failed request loses only its own tickers. */
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

/** In 10^-8 USD, rounded down; above 0. */
export const tickerPrice = z.string().transform((text, context) => {
  const finest = parseDecimal(text, FINEST_DIGITS)
  const price = finest === undefined ? 0n : finest / 10n ** BigInt(FINEST_DIGITS - PRICE_DIGITS)
  if (price > 0n) return price
  context.addIssue('must be a plain decimal above 0')
  return z.NEVER
})

const FINEST_DIGITS = 18
