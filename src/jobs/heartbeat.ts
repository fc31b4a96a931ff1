import { SECOND_MS } from '../core/time.ts'
import { noteHeartbeat } from '../domain/margin/outages/outages.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'

const PERIOD_MS = 10 * SECOND_MS

export async function runHeartbeat(stop: AbortSignal, context: JobContext): Promise<void> {
  const { db, clock, logger } = context
  const beat = async () => {
    const outage = await noteHeartbeat(db, clock, (tenants) =>
      logger.warn({ tenants }, 'a node of the database does not answer; its tenants wait'),
    )
    if (outage) logger.warn(outage, 'no worker was running; deadlines of margin warnings move')
  }
  const onError = (error: unknown) => logger.error({ err: error }, 'heartbeat failed')
  await repeat(stop, () => PERIOD_MS, beat, onError)
}
