import { ONE_PPM } from '../../core/ratio.ts'
import { MINUTE_MS } from '../../core/time.ts'
import { ONE_USD, type Prices } from './prices.ts'

/** What one source says that an asset costs, 10^-8 USD per whole, and when it was so. */
export type Quote = { source: string; price: bigint; at: Date }

/** A price too far from the last accepted one, and since when sources have agreed on it. */
export type PendingPrice = { price: bigint; since: Date }

export type RoundPolicy = {
  /** A quote that is older, or as much ahead of our clock, does not count. */
  maxAgeMs: number
  /** Nor does one that is further off the median. */
  maxDeviationPpm: bigint
  /** So many sources must agree. */
  leastSources: number
  /** A move beyond this needs `unanimousSources`, or agreement that lasts for `confirmMs`. */
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
  /** At most one quote a source; an asset that nobody quotes has none. */
  quotes: ReadonlyMap<string, readonly Quote[]>
  last: Prices
  pending: ReadonlyMap<string, PendingPrice>
  now: Date
}

export type NoPriceReason = 'too_few_sources' | 'no_agreement' | 'unconfirmed_move'

/** An accepted price with the quotes it was made from. */
export type AcceptedPrice = { price: bigint; quotes: readonly Quote[] }

export type RoundOutcome = {
  /** USD is always among them. */
  accepted: ReadonlyMap<string, AcceptedPrice>
  /** Why the other assets have no new price. */
  refused: ReadonlyMap<string, NoPriceReason>
  /** What is to be kept for the next round. */
  pending: ReadonlyMap<string, PendingPrice>
}

type Verdict = { accepted: AcceptedPrice } | { refused: NoPriceReason; pending?: PendingPrice }

/**
 * Makes the prices of one round from what the sources say: for each asset the median, rounded down,
 * of the fresh quotes that agree. One source alone never makes a price, and one that is wrong never
 * moves it beyond those that agree. A jump is believed when every source shows it, or when two have
 * kept showing it for a minute. Pure; the order of quotes does not matter.
 */
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
  // A round that cannot tell neither confirms what waits nor contradicts it.
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

  // Confirmed is the level seen first: a price that jumps on from it waits anew.
  const holds = waiting !== undefined && !differ(waiting.price, price, policy.maxMovePpm)
  const pending = holds ? waiting : { price, since: now }
  const isConfirmed = now.getTime() - pending.since.getTime() >= policy.confirmMs
  return isConfirmed ? { accepted } : { refused: 'unconfirmed_move', pending }
}

/** Twice the median, which is whole for an even number of quotes too. */
function twiceMedianOf(quotes: readonly Quote[]): bigint {
  const prices = quotes.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const middle = prices.length >> 1
  const upper = prices[middle] ?? 0n
  const lower = prices.length % 2 === 1 ? upper : (prices[middle - 1] ?? 0n)
  return lower + upper
}

/** Whether `to` is further from `from` than `ppm` of it, exactly. */
function differ(from: bigint, to: bigint, ppm: bigint): boolean {
  const distance = from < to ? to - from : from - to
  return distance * ONE_PPM > ppm * from
}
