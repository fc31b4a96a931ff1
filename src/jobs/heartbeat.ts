import { SECOND_MS } from '../core/time.ts'
import { noteHeartbeat } from '../domain/margin/outages/outages.ts'
import type { JobContext } from './job-context.ts'
import { repeatUntil } from './repeat-until.ts'

const PERIOD_MS = 10 * SECOND_MS

/** Notes that this worker is there, now and every few seconds until `stop` is aborted. */
export async function beatUntil(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, clock, marginPolicy, logger } = context
  const beat = async () => {
    const outage = await noteHeartbeat(db, clock, marginPolicy)
    if (outage) logger.warn(outage, 'no worker was there; deadlines of margin warnings moved')
  }
  const onError = (error: unknown) => logger.error({ err: error }, 'heartbeat failed')
  await repeatUntil(stop, () => PERIOD_MS, beat, onError)
}
