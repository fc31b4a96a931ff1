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
        parse: parseExactly,
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

/** Numbers become plain decimals, so that nothing is rounded. */
function parseExactly(text: string): unknown {
  return parseWithSource(text, (_name, value, { source = '' }) =>
    typeof value === 'number' ? toPlainDecimal(source) : value,
  )
}

/** ES2025's third parameter of the function, which the types lack. */
const parseWithSource = JSON.parse as (
  text: string,
  revive: (name: string, value: unknown, context: { source?: string }) => unknown,
) => unknown

const MAX_EXPONENT = 40

/** A negative number, or one of a large exponent, stays as it is and is no price. */
function toPlainDecimal(source: string): string {
  const [, whole = '', fraction = '', power = ''] = SCIENTIFIC.exec(source) ?? []
  const exponent = Number(power)
  if (power === '' || Math.abs(exponent) > MAX_EXPONENT) return source
  const digits = whole + fraction
  const point = whole.length + exponent
  const before = digits.slice(0, Math.max(point, 0)).padEnd(point, '0').replace(/^0+/, '')
  const after = digits.slice(Math.max(point, 0)).padStart(digits.length - point, '0')
  return after === '' ? before || '0' : `${before || '0'}.${after}`
}

const SCIENTIFIC = /^(\d+)(?:\.(\d+))?e([+-]?\d+)$/i
