import type { QuotedAsset } from '../../core/assets.ts'
import { QUOTED_ASSETS } from '../../core/money.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { purge } from '../../db/sql/purge.ts'
import {
  acceptRound,
  type NoPriceReason,
  type PendingPrice,
  type Quote,
  type RoundPolicy,
} from './accept-round.ts'
import {
  deleteRoundsBefore,
  insertRound,
  lockFeed,
  selectNewestRound,
  selectRounds,
  selectSources,
  takeSlot,
  updatePendingPrices,
} from './price-queries.ts'
import {
  type AcceptedQuote,
  distinctPrices,
  ONE_USD,
  type Prices,
  type PriceWindow,
} from './prices.ts'

/** Never throws; what it cannot read in time is missing. */
export type QuoteSource = { name: string; read(): Promise<ReadonlyMap<QuotedAsset, Quote>> }

export async function claimRound(db: Db, slot: bigint): Promise<boolean> {
  return await takeSlot(db, slot)
}

export type RoundReport = ReadonlyMap<QuotedAsset, 'accepted' | NoPriceReason>

/** Stores the round if any price was accepted. Undefined once another round has begun. */
export async function recordRound(
  tx: Tx,
  { slot, answers }: { slot: bigint; answers: readonly ReadonlyMap<QuotedAsset, Quote>[] },
  policy: RoundPolicy,
  now: Date,
): Promise<RoundReport | undefined> {
  const stored = await lockFeed(tx, slot)
  if (!stored) return undefined
  const last = await readLatestPrices(tx, now)
  const quotes = new Map(
    QUOTED_ASSETS.map((asset) => [asset, answers.flatMap((answer) => answer.get(asset) ?? [])]),
  )
  const outcome = acceptRound({ quotes, last, pending: readPending(stored), now }, policy)
  await updatePendingPrices(tx, printPending(outcome.pending))
  const accepted = [...outcome.accepted].filter(([asset]) => asset !== 'USD')
  if (accepted.length > 0) {
    const next = new Map([
      ...last,
      ...accepted.map(([asset, { price }]) => [asset, { price, at: now }] as const),
    ])
    next.delete('USD')
    const sources = accepted.map(([asset, { quotes }]) => [asset, quotes.map(printQuote)] as const)
    await insertRound(tx, {
      accepted_at: now,
      prices: printPrices(next),
      sources: Object.fromEntries(sources),
    })
  }
  return new Map(QUOTED_ASSETS.map((asset) => [asset, outcome.refused.get(asset) ?? 'accepted']))
}

export async function readLatestPrices(db: Db, now: Date): Promise<Prices> {
  const round = await selectNewestRound(db, now)
  return readPrices(round?.prices ?? {}, now)
}

export async function readPriceWindow(
  db: Db,
  { now, confirmMs, longestMs }: PriceWindow,
): Promise<Prices[] | undefined> {
  const first = { from: addMs(now, -longestMs), until: addMs(now, -confirmMs) }
  const rounds = await selectRounds(db, first, now)
  if (rounds.length === 0) return undefined
  return distinctPrices(rounds.map(({ prices, accepted_at }) => readPrices(prices, accepted_at)))
}

export async function readQuotesAt(db: Db, instants: readonly Date[]): Promise<AcceptedQuote[]> {
  const rows = await selectSources(db, instants)
  return rows.flatMap(({ accepted_at: acceptedAt, sources }) =>
    Object.entries(sources).flatMap(([asset, quotes]) =>
      quotes.map(({ source, price, at }) => {
        return { asset, acceptedAt, source, price: BigInt(price), at: new Date(at) }
      }),
    ),
  )
}

export async function purgeRounds(db: Db, retentionDays: number, now: Date): Promise<number> {
  const before = addMs(now, -retentionDays * DAY_MS)
  return await purge((limit) => deleteRoundsBefore(db, before, limit))
}

type PrintedPrices = Record<string, { price: string; at: string }>
type PrintedPending = Record<string, { price: string; since: string }>

function readPrices(printed: PrintedPrices, now: Date): Prices {
  const prices = Object.entries(printed).map(
    ([asset, { price, at }]) => [asset, { price: BigInt(price), at: new Date(at) }] as const,
  )
  return new Map([['USD', { price: ONE_USD, at: now }], ...prices])
}

function printPrices(prices: Prices): PrintedPrices {
  const entries = [...prices].map(([asset, { price, at }]) => [
    asset,
    { price: String(price), at: at.toISOString() },
  ])
  return Object.fromEntries(entries)
}

function printQuote({ source, price, at }: Quote) {
  return { source, price: String(price), at: at.toISOString() }
}

function readPending(printed: PrintedPending): Map<string, PendingPrice> {
  const pending = Object.entries(printed).map(
    ([asset, { price, since }]) =>
      [asset, { price: BigInt(price), since: new Date(since) }] as const,
  )
  return new Map(pending)
}

function printPending(pending: ReadonlyMap<string, PendingPrice>): PrintedPending {
  const entries = [...pending].map(([asset, { price, since }]) => [
    asset,
    { price: String(price), since: since.toISOString() },
  ])
  return Object.fromEntries(entries)
}
