import { addMs, DAY_MS, HOUR_MS } from '../core/time.ts'
import { maintainPartitions } from '../db/migrate.ts'
import { purgeCallbacks } from '../domain/callbacks/receive-callback.ts'
import { purgeRounds } from '../domain/collateral/price-rounds.ts'
import { purgeRecords } from '../domain/idempotency/idempotency.ts'
import type { JobContext } from './job-context.ts'
import { repeatUntil } from './repeat-until.ts'

/**
 * Keeps the tables in shape, every hour: next months' partitions of the event log, and months,
 * idempotency records, price rounds and providers' callbacks past their retention. Harmless when
 * several workers do it at once.
 */
export async function maintainUntil(
  stop: AbortSignal,
  context: JobContext,
  onMaintained: () => void,
): Promise<void> {
  const run = async () => {
    await maintain(context)
    onMaintained()
  }
  const onError = (error: unknown) => context.logger.error({ err: error }, 'maintenance failed')
  await repeatUntil(stop, () => HOUR_MS, run, onError)
}

/** One round of maintenance. All of it runs on real time, whatever a sandbox clock says. */
async function maintain({ db, clock, config, logger }: JobContext): Promise<void> {
  const now = clock()
  const keepAfter = addMs(now, -config.eventRetentionDays * DAY_MS)
  const { inUse } = await maintainPartitions(db, now, keepAfter)
  if (inUse.length > 0) logger.warn({ inUse }, 'old months of the event log are in use and stay')
  const purged = await purgeRecords(db, config.idempotencyRetentionDays, now)
  if (purged > 0) logger.info({ purged }, 'idempotency records purged')
  const rounds = await purgeRounds(db, config.priceRetentionDays, now)
  if (rounds > 0) logger.info({ purged: rounds }, 'price rounds purged')
  const callbacks = await purgeCallbacks(db, now)
  if (callbacks > 0) logger.info({ purged: callbacks }, 'provider callbacks purged')
}
