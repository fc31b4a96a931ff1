import { findWebhooksWithDue } from '../domain/webhooks/deliveries/find-due.ts'
import type { JobContext } from './job-context.ts'
import { repeat } from './repeat.ts'
import type { WorkLoop } from './work/work-loop.ts'

const PERIOD_MS = 1_000

export const SWEEPS = ['deliveries', 'work'] as const

/** Runs every second what is due in Postgres: lost wake-ups, retries, deadlines, expired leases. */
export async function runSweeper(
  stop: AbortSignal,
  context: JobContext & { work: Pick<WorkLoop, 'sweep'> },
  onSwept: (sweep: string) => void,
): Promise<void> {
  const sweeps: Record<(typeof SWEEPS)[number], () => Promise<void>> = {
    deliveries: () => sweepDeliveries(context),
    work: () => context.work.sweep(),
  }
  // Side by side: a slow sweep must not hold up the other.
  await Promise.all(
    SWEEPS.map((name) => {
      const sweep = async () => {
        await sweeps[name]()
        onSwept(name)
      }
      const onError = (error: unknown) =>
        context.logger.error({ err: error, sweep: name }, 'sweep failed')
      return repeat(stop, () => PERIOD_MS, sweep, onError)
    }),
  )
}

async function sweepDeliveries({ db, clock, lanes }: JobContext): Promise<void> {
  for (const { tenantId, webhookId } of await findWebhooksWithDue(db, clock())) {
    lanes.wake(tenantId, webhookId)
  }
}
