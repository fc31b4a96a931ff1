import type { Clock } from '../core/time.ts'
import { type Db, inTransaction } from '../db/database.ts'
import { ROUND_POLICY } from '../domain/collateral/accept-round.ts'
import {
  claimRound,
  type QuoteSource,
  type RoundReport,
  recordRound,
} from '../domain/collateral/price-rounds.ts'
import { repeatUntil } from './repeat-until.ts'

export type PriceRoundContext = { db: Db; clock: Clock; quoteSources: readonly QuoteSource[] }

/**
 * Makes a price round at every whole multiple of `periodMs` until `stop` is aborted: whichever worker
 * claims it first. After each round made here `onRound` has the facilities judged by it, while rounds
 * go on; `onError` is told of what failed. Resolves once what `onRound` has begun has ended too.
 */
export async function makeRoundsUntil(
  stop: AbortSignal,
  context: PriceRoundContext,
  options: {
    periodMs: number
    onRound: (report: RoundReport) => Promise<void>
    onError: (error: unknown) => void
  },
): Promise<void> {
  const { periodMs, onRound, onError } = options
  const underWay = new Set<Promise<void>>()
  const untilNext = () => periodMs - (context.clock().getTime() % periodMs)
  const run = async () => {
    const report = await makeRound(context, periodMs)
    if (!report) return
    const ended = onRound(report)
      .catch(onError)
      .finally(() => underWay.delete(ended))
    underWay.add(ended)
  }
  await repeatUntil(stop, untilNext, run, onError)
  await Promise.all(underWay)
}

/**
 * Makes the round that is due, unless another worker has: claims it, asks every source, then judges
 * and stores what they said. Undefined when the round was not this worker's, at first or in the end.
 */
export async function makeRound(
  { db, clock, quoteSources }: PriceRoundContext,
  periodMs: number,
): Promise<RoundReport | undefined> {
  const slot = BigInt(Math.floor(clock().getTime() / periodMs))
  if (!(await claimRound(db, slot))) return undefined
  const answers = await Promise.all(quoteSources.map((source) => source.read()))
  return await inTransaction(db, (tx) => recordRound(tx, { slot, answers }, ROUND_POLICY, clock()))
}
