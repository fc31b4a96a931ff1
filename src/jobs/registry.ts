import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import type { DeadlineHandlers } from '../domain/deadlines/deadlines.ts'
import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'
import type { ClockFor } from '../domain/tenants/tenant-clock.ts'
import type { Job } from './define-job.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import type { DeliveryLanes } from './delivery-lanes.ts'
import { evaluateBorrowerJob } from './evaluate-borrower.ts'

/** What jobs work with. */
export type JobContext = {
  config: Config
  db: Db
  clock: Clock
  clockFor: ClockFor
  compliance: ComplianceProvider
  deadlineHandlers: DeadlineHandlers
  lanes: DeliveryLanes
  logger: Logger
}

const JOBS: readonly Job<JobContext>[] = [evaluateBorrowerJob, deliverWebhook]

const byName = new Map(JOBS.map((job) => [job.name, job]))

/**
 * Runs a job by name and logs one line about it. Throws what the job throws; a name that no job has
 * (one of another release) is logged and left to the release that knows it.
 */
export async function runJob(context: JobContext, name: string, payload: unknown): Promise<void> {
  const job = byName.get(name)
  const log = context.logger.child({ job: name, ...(payload as object) })
  if (!job) {
    log.warn('no such job')
    return
  }
  const startedAt = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAt)
  try {
    await job.run(context, payload, log)
    log.info({ durationMs: durationMs() }, 'job done')
  } catch (error) {
    log.error({ durationMs: durationMs(), err: error }, 'job failed')
    throw error
  }
}
