import type { Job } from './define-job.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { evaluateBorrowerJob } from './evaluate-borrower.ts'
import type { JobContext } from './job-context.ts'
import { lendingJobs } from './lend.ts'
import { marginJobs } from './margin.ts'

const JOBS: readonly Job<JobContext>[] = [
  evaluateBorrowerJob,
  deliverWebhook,
  ...lendingJobs,
  ...marginJobs,
]

const byName = new Map(JOBS.map((job) => [job.name, job]))

/** What this release can run. */
export const JOB_NAMES: readonly string[] = [...byName.keys()]

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
