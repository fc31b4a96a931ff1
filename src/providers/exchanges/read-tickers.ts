import { Agent, request } from 'undici'
import { z } from 'zod'
import { parseDecimal } from '../../core/money.ts'
import type { Clock } from '../../core/time.ts'
import type { Quote } from '../../domain/collateral/accept-round.ts'
import type { QuotedAsset, QuoteSource } from '../../domain/collateral/price-rounds.ts'
import { PRICE_DIGITS } from '../../domain/collateral/prices.ts'

/** How a source reaches its exchange, and whom it tells when it cannot. */
export type TickerClient = {
  /** Reads the JSON at an address; throws when there is none in time. */
  readJson(url: string): Promise<unknown>
  clock: Clock
  /** Told of each quote that is missing, with why. */
  onMissing(source: string, error: unknown): void
}

const MAX_BODY_BYTES = 64 * 1024

/**
 * A client for public tickers. `deadlineMs` is for the whole of a request, from the connection to
 * the last byte of the answer. `close` ends the connections that are kept.
 */
export function createTickerClient(options: {
  deadlineMs: number
  clock: Clock
  onMissing: TickerClient['onMissing']
}): TickerClient & { close(): Promise<void> } {
  const agent = new Agent({ allowH2: false, connections: 4, clientTtl: 60_000 })
  return {
    clock: options.clock,
    onMissing: options.onMissing,
    readJson: (url) => readJson(agent, url, options.deadlineMs),
    close: () => agent.close(),
  }
}

async function readJson(agent: Agent, url: string, deadlineMs: number): Promise<unknown> {
  const { statusCode, body } = await request(url, {
    dispatcher: agent,
    signal: AbortSignal.timeout(deadlineMs),
    headers: { accept: 'application/json', 'user-agent': 'lending-service-prices/1' },
  })
  const chunks: Buffer[] = []
  let received = 0
  // Leaving the loop early closes the connection.
  for await (const chunk of body) {
    received += chunk.length
    if (statusCode !== 200 || received > MAX_BODY_BYTES) break
    chunks.push(chunk)
  }
  if (statusCode !== 200) throw new Error(`status ${statusCode}`)
  if (received > MAX_BODY_BYTES) throw new Error(`more than ${MAX_BODY_BYTES} bytes`)
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** What an exchange says of one asset. */
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
