import type { Clock } from '../core/time.ts'
import { type Db, inTransaction } from '../db/database.ts'
import { ROUND_POLICY } from '../domain/collateral/accept-round.ts'
import {
  claimRound,
  type QuoteSource,
  type RoundReport,
  recordRound,
} from '../domain/collateral/price-rounds.ts'
import { repeat } from './repeat.ts'

export type PriceRoundContext = { db: Db; clock: Clock; quoteSources: readonly QuoteSource[] }

/** Resolves after `stop` and once every `onRound` has ended. */
export async function runPriceRounds(
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
  await repeat(stop, untilNext, run, onError)
  await Promise.all(underWay)
}

/** Undefined where another worker has claimed the round. */
export async function makeRound(
  { db, clock, quoteSources }: PriceRoundContext,
  periodMs: number,
): Promise<RoundReport | undefined> {
  const slot = BigInt(Math.floor(clock().getTime() / periodMs))
  if (!(await claimRound(db, slot))) return undefined
  const answers = await Promise.all(quoteSources.map((source) => source.read()))
  return await inTransaction(db, (tx) => recordRound(tx, { slot, answers }, ROUND_POLICY, clock()))
}
