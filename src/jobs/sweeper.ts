import { setTimeout } from 'node:timers/promises'
import { findDueWork } from '../domain/outbox/outbox.ts'
import { findWebhooksWithDue } from '../domain/webhooks/deliver.ts'
import { runDueDeadlines } from './due-deadlines.ts'
import { type JobContext, runJob } from './registry.ts'

const PERIOD_MS = 1_000
const WORK_BATCH = 100

/**
 * Finds, every second, what is due in Postgres and runs it in this process: work whose wake was lost
 * with Redis, retries whose time has come, leases that a dead worker left. Needs no Redis. Resolves
 * once `stop` is aborted and the sweep under way has ended.
 */
export async function sweepUntil(stop: AbortSignal, context: JobContext): Promise<void> {
  while (!stop.aborted) {
    try {
      await sweep(context)
    } catch (error) {
      context.logger.error({ err: error }, 'sweep failed')
    }
    await setTimeout(PERIOD_MS, undefined, { signal: stop }).catch(() => undefined)
  }
}

/** One sweep: runs due work and due deadlines, and wakes the lane of every webhook with a delivery. */
export async function sweep(context: JobContext): Promise<void> {
  const now = context.clock()
  for (const { tenantId, webhookId } of await findWebhooksWithDue(context.db, now)) {
    context.lanes.wake(tenantId, webhookId)
  }
  const due = await findDueWork(context.db, now, WORK_BATCH)
  // A failure is logged by its job and its item is due again later: the others go on.
  await Promise.allSettled(
    due.map(({ tenantId, topic, subjectId }) => runJob(context, topic, { tenantId, subjectId })),
  )
  await runDueDeadlines(context)
}
