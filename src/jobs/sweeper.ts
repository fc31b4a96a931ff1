import { setTimeout } from 'node:timers/promises'
import { findDueWork } from '../domain/outbox/outbox.ts'
import { findWebhooksWithDue } from '../domain/webhooks/find-due.ts'
import { runDueDeadlines } from './due-deadlines.ts'
import type { JobContext } from './job-context.ts'
import { JOB_NAMES, runJob } from './registry.ts'

const PERIOD_MS = 1_000
const WORK_BATCH = 100

// Apart from each other: what one of them waits for must not hold up the others.
const sweeps = { deliveries: sweepDeliveries, work: sweepWork, deadlines: runDueDeadlines }

export const SWEEPS: readonly string[] = Object.keys(sweeps)

/**
 * Finds, every second, what is due in Postgres and runs it in this process: work whose wake was lost
 * with Redis, retries whose time has come, leases that a dead worker left, deadlines. Needs no Redis.
 * Resolves once `stop` is aborted and the sweeps under way have ended.
 */
export async function sweepUntil(
  stop: AbortSignal,
  context: JobContext,
  onSwept: (sweep: string) => void,
): Promise<void> {
  await Promise.all(
    Object.entries(sweeps).map(([name, sweep]) =>
      repeatUntil(stop, async () => {
        try {
          await sweep(context)
          onSwept(name)
        } catch (error) {
          context.logger.error({ err: error, sweep: name }, 'sweep failed')
        }
      }),
    ),
  )
}

async function repeatUntil(stop: AbortSignal, sweep: () => Promise<void>): Promise<void> {
  while (!stop.aborted) {
    await sweep()
    await setTimeout(PERIOD_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** Wakes the lane of every webhook with a due delivery. */
async function sweepDeliveries({ db, clock, lanes }: JobContext): Promise<void> {
  for (const { tenantId, webhookId } of await findWebhooksWithDue(db, clock())) {
    lanes.wake(tenantId, webhookId)
  }
}

/** Runs due work. A failure is logged by its job and its item is due again later: the others go on. */
async function sweepWork(context: JobContext): Promise<void> {
  const due = await findDueWork(context.db, JOB_NAMES, { now: context.clock(), limit: WORK_BATCH })
  await Promise.allSettled(
    due.map(({ tenantId, topic, subjectId }) => runJob(context, topic, { tenantId, subjectId })),
  )
}
