import type { Job } from './define-job.ts'
import { deliverWebhook } from './deliveries/deliver-webhook.ts'
import type { JobContext } from './job-context.ts'
import { claimWorkJob } from './work/claim-work.ts'

/** What a wake-up has this process do at once. Postgres alone knows what there is to do. */
const JOBS: readonly Job<JobContext>[] = [claimWorkJob, deliverWebhook]

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
