import { ONE_PPM } from '../../core/ratio.ts'
import { MINUTE_MS } from '../../core/time.ts'
import { ONE_USD, type Prices } from './prices.ts'

/** 10^-8 USD per whole unit. */
export type Quote = { source: string; price: bigint; at: Date }

export type PendingPrice = { price: bigint; since: Date }

export type RoundPolicy = {
  /** A quote that is older, or as far ahead of our clock, does not count. */
  maxAgeMs: number
  maxDeviationPpm: bigint
  leastSources: number
  /** A larger move needs `unanimousSources`, or agreement for `confirmMs`. */
  maxMovePpm: bigint
  unanimousSources: number
  confirmMs: number
}

export const ROUND_POLICY: RoundPolicy = {
  maxAgeMs: MINUTE_MS,
  maxDeviationPpm: 20_000n,
  leastSources: 2,
  maxMovePpm: 100_000n,
  unanimousSources: 3,
  confirmMs: MINUTE_MS,
}

export type RoundFacts = {
  quotes: ReadonlyMap<string, readonly Quote[]>
  last: Prices
  pending: ReadonlyMap<string, PendingPrice>
  now: Date
}

export type NoPriceReason = 'too_few_sources' | 'no_agreement' | 'unconfirmed_move'

export type AcceptedPrice = { price: bigint; quotes: readonly Quote[] }

export type RoundOutcome = {
  accepted: ReadonlyMap<string, AcceptedPrice>
  refused: ReadonlyMap<string, NoPriceReason>
  pending: ReadonlyMap<string, PendingPrice>
}

type Verdict = { accepted: AcceptedPrice } | { refused: NoPriceReason; pending?: PendingPrice }

/** Per asset the median, rounded down, of the fresh quotes that agree. One source alone never makes
 * a price. A jump needs every source, or two that show it for a minute. Order does not matter. */
export function acceptRound(facts: RoundFacts, policy: RoundPolicy): RoundOutcome {
  const accepted = new Map<string, AcceptedPrice>([['USD', { price: ONE_USD, quotes: [] }]])
  const refused = new Map<string, NoPriceReason>()
  const pending = new Map<string, PendingPrice>()
  for (const asset of facts.quotes.keys()) {
    if (asset === 'USD') continue
    const verdict = evaluateAsset(asset, facts, policy)
    if ('accepted' in verdict) {
      accepted.set(asset, verdict.accepted)
    } else {
      refused.set(asset, verdict.refused)
      if (verdict.pending) pending.set(asset, verdict.pending)
    }
  }
  return { accepted, refused, pending }
}

function evaluateAsset(asset: string, facts: RoundFacts, policy: RoundPolicy): Verdict {
  const { now } = facts
  const waiting = facts.pending.get(asset)
  // Neither confirms nor contradicts a pending price.
  const isInconclusive = (refused: NoPriceReason): Verdict =>
    waiting ? { refused, pending: waiting } : { refused }

  const fresh = (facts.quotes.get(asset) ?? []).filter(
    ({ at }) => Math.abs(now.getTime() - at.getTime()) <= policy.maxAgeMs,
  )
  if (fresh.length < policy.leastSources) return isInconclusive('too_few_sources')
  const twiceMedian = twiceMedianOf(fresh)
  const quotes = fresh.filter(
    ({ price }) => !differ(twiceMedian, 2n * price, policy.maxDeviationPpm),
  )
  if (quotes.length < policy.leastSources) return isInconclusive('no_agreement')

  const price = twiceMedianOf(quotes) / 2n
  const accepted = { price, quotes }
  const last = facts.last.get(asset)?.price
  const isJump = last !== undefined && differ(last, price, policy.maxMovePpm)
  if (!isJump || quotes.length >= policy.unanimousSources) return { accepted }

  // The first level is confirmed: a further jump waits again.
  const holds = waiting !== undefined && !differ(waiting.price, price, policy.maxMovePpm)
  const pending = holds ? waiting : { price, since: now }
  const isConfirmed = now.getTime() - pending.since.getTime() >= policy.confirmMs
  return isConfirmed ? { accepted } : { refused: 'unconfirmed_move', pending }
}

/** Twice the median is an integer for an even number of quotes too. */
function twiceMedianOf(quotes: readonly Quote[]): bigint {
  const prices = quotes.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = prices.length >> 1
  const upper = prices[middle] ?? 0n
  const lower = prices.length % 2 === 1 ? upper : (prices[middle - 1] ?? 0n)
  return lower + upper
}

function differ(from: bigint, to: bigint, ppm: bigint): boolean {
  const distance = from < to ? to - from : from - to
  return distance * ONE_PPM > ppm * from
}
