import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock, Instant } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import type { QuoteSource } from '../domain/collateral/price-rounds.ts'
import type { PriceFeed } from '../domain/collateral/prices.ts'
import type { DeadlineHandlers } from '../domain/deadlines/deadlines.ts'
import type { LendingPolicy } from '../domain/facilities/policy.ts'
import type { Custodian, Payments } from '../domain/facilities/ports.ts'
import type { MarginPolicy } from '../domain/margin/policy.ts'
import type { ComplianceProvider } from '../domain/onboarding/compliance.ts'
import type { ClockFor } from '../domain/tenants/tenant-clock.ts'
import type { Metrics } from '../metrics.ts'
import type { Job } from './define-job.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import type { DeliveryLanes } from './delivery-lanes.ts'
import { evaluateBorrowerJob } from './evaluate-borrower.ts'
import { lendingJobs } from './lend.ts'
import { marginJobs } from './margin.ts'

/** What jobs work with. */
export type JobContext = {
  config: Config
  db: Db
  clock: Clock
  clockFor: ClockFor
  /** Both times, as they are now for a tenant. */
  instant: (tenantId: string) => Promise<Instant>
  compliance: ComplianceProvider
  custodian: Custodian
  payments: Payments
  prices: PriceFeed
  quoteSources: readonly QuoteSource[]
  policy: LendingPolicy
  marginPolicy: MarginPolicy
  /** Whether prices come in rounds, so that a gap between judgements is an outage. */
  hasRounds: boolean
  deadlineHandlers: DeadlineHandlers
  lanes: DeliveryLanes
  logger: Logger
  metrics: Metrics
}

const JOBS: readonly Job<JobContext>[] = [
  evaluateBorrowerJob,
  deliverWebhook,
  ...lendingJobs,
  ...marginJobs,
]

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
  const end = (outcome: 'done' | 'failed') => {
    const durationMs = Math.round(performance.now() - startedAt)
    context.metrics.jobs.observe({ job: name, outcome }, durationMs / 1_000)
    return { durationMs }
  }
  try {
    await job.run(context, payload, log)
    log.info(end('done'), 'job done')
  } catch (error) {
    log.error({ ...end('failed'), err: error }, 'job failed')
    throw error
  }
}
