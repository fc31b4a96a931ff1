import { findWebhooksWithDue } from '../domain/webhooks/find-due.ts'
import type { JobContext } from './job-context.ts'
import { repeatUntil } from './repeat-until.ts'
import type { WorkLoop } from './work/work-loop.ts'

const PERIOD_MS = 1_000

export const SWEEPS = ['deliveries', 'work'] as const

/**
 * Finds, every second, what is due in Postgres and runs it in this process: work whose wake was lost
 * with Redis, retries and deadlines whose time has come, leases that a dead worker left. Needs no
 * Redis. Resolves once `stop` is aborted and the sweeps under way have ended.
 */
export async function sweepUntil(
  stop: AbortSignal,
  context: JobContext & { work: Pick<WorkLoop, 'sweep'> },
  onSwept: (sweep: string) => void,
): Promise<void> {
  // Apart from each other: what one of them waits for must not hold up the others.
  const sweeps: Record<(typeof SWEEPS)[number], () => Promise<void>> = {
    deliveries: () => sweepDeliveries(context),
    work: () => context.work.sweep(),
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
}

/** Wakes the lane of every webhook with a due delivery. */
async function sweepDeliveries({ db, clock, lanes }: JobContext): Promise<void> {
  for (const { tenantId, webhookId } of await findWebhooksWithDue(db, clock())) {
    lanes.wake(tenantId, webhookId)
  }
}
