import { type Deadline, findDueDeadlines, runDeadline } from '../domain/deadlines/deadlines.ts'
import type { JobContext } from './job-context.ts'

const BATCH = 100

type SweepContext = Pick<JobContext, 'db' | 'clock' | 'clockFor' | 'deadlineHandlers' | 'logger'>

/**
 * Handles every deadline that has come by its tenant's clock: a tenant's own in order, tenants side
 * by side. One that fails is logged and stays due; the others are handled all the same.
 */
export async function runDueDeadlines(context: SweepContext): Promise<void> {
  const { db, clock, deadlineHandlers } = context
  const realNow = clock()
  let after: Deadline | undefined
  do {
    const due = await findDueDeadlines(db, deadlineHandlers, { realNow, limit: BATCH, after })
    const byTenant = Map.groupBy(due, ({ tenantId }) => tenantId)
    await Promise.all([...byTenant.values()].map((deadlines) => runInOrder(context, deadlines)))
    after = due.length < BATCH ? undefined : due.at(-1)
  } while (after)
}

async function runInOrder(context: SweepContext, deadlines: readonly Deadline[]): Promise<void> {
  const { db, clock, clockFor, deadlineHandlers, logger } = context
  for (const deadline of deadlines) {
    const { tenantId, topic, subjectId } = deadline
    try {
      const instant = { now: await clockFor(db, tenantId), realNow: clock() }
      await runDeadline(db, deadlineHandlers, deadline, instant)
    } catch (error) {
      logger.error({ err: error, deadline: topic, tenantId, subjectId }, 'deadline failed')
    }
  }
}
