import { setTimeout } from 'node:timers/promises'
import { findDueWork } from '../domain/outbox/outbox.ts'
import { findWebhooksWithDue } from '../domain/webhooks/find-due.ts'
import { runDueDeadlines } from './due-deadlines.ts'
import type { JobContext } from './job-context.ts'
import { JOB_NAMES, runJob } from './registry.ts'
import { repeatUntil } from './repeat-until.ts'

const PERIOD_MS = 1_000
const WORK_BATCH = 100

export const SWEEPS = ['deliveries', 'work', 'deadlines'] as const

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
  const work = createWorkSweep(context)
  // Apart from each other: what one of them waits for must not hold up the others.
  const sweeps: Record<(typeof SWEEPS)[number], () => Promise<void>> = {
    deliveries: () => sweepDeliveries(context),
    work: () => work.sweep(),
    deadlines: () => runDueDeadlines(context),
  }
  await Promise.all(
    SWEEPS.map((name) => {
      const sweep = async () => {
        await sweeps[name]()
        onSwept(name)
      }
      const onError = (error: unknown) =>
        context.logger.error({ err: error, sweep: name }, 'sweep failed')
      return repeatUntil(stop, () => PERIOD_MS, sweep, onError)
    }),
  )
  await work.ended()
}

/** Wakes the lane of every webhook with a due delivery. */
async function sweepDeliveries({ db, clock, lanes }: JobContext): Promise<void> {
  for (const { tenantId, webhookId } of await findWebhooksWithDue(db, clock())) {
    lanes.wake(tenantId, webhookId)
  }
}

/**
 * Runs due work, a batch at a time at most. A failure is logged by its job and its item is due again
 * later: the others go on. Work that takes its time, as a provider may, is not waited for: the next
 * sweep comes all the same and leaves it alone.
 */
function createWorkSweep(context: JobContext) {
  const running = new Map<string, Promise<void>>()
  return {
    async sweep(): Promise<void> {
      const { db, clock } = context
      const due = await findDueWork(db, JOB_NAMES, { now: clock(), limit: WORK_BATCH })
      for (const { tenantId, topic, subjectId } of due) {
        const name = `${tenantId} ${topic} ${subjectId}`
        if (running.size >= WORK_BATCH) break
        if (running.has(name)) continue
        const run = runJob(context, topic, { tenantId, subjectId })
          .catch(() => undefined)
          .finally(() => running.delete(name))
        running.set(name, run)
      }
      const soon = setTimeout(PERIOD_MS, undefined, { ref: false })
      await Promise.race([Promise.all(running.values()), soon])
    },
    async ended(): Promise<void> {
      await Promise.all(running.values())
    },
  }
}
