import { MINUTE_MS } from '../core/time.ts'
import { takePoints } from '../domain/margin/history/take-points.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

/** Tenants whose hour has passed are found each minute: a sandbox clock may leap. */
export async function runLtvPoints(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, clock, clockFor, prices, termsAt, hasRounds, logger } = context
  const run = async () => {
    const source = { prices, clockFor, isShared: hasRounds }
    await takePoints(db, { source, termsAt, realNow: clock() })
  }
  const onError = (error: unknown) => logger.error({ err: error }, 'points of LTV were not taken')
  await repeat(stop, () => MINUTE_MS, run, onError)
}
