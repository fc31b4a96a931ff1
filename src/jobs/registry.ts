import { z } from 'zod'
import { defineJob, type Job } from './define-job.ts'
import type { JobContext } from './job-context.ts'

/** The lane delivers on its own: this job holds no slot meanwhile. */
const deliverWebhook = defineJob({
  name: 'deliver-webhook',
  payload: z.object({ tenantId: z.string(), webhookId: z.string() }),
  async run({ lanes }: JobContext, { tenantId, webhookId }) {
    lanes.wake(tenantId, webhookId)
  },
})

const claimWork = defineJob({
  name: 'claim-work',
  payload: z.object({ topic: z.string() }),
  async run({ work }: JobContext) {
    work.wake()
  },
})

const JOBS: readonly Job<JobContext>[] = [claimWork, deliverWebhook]

const byName = new Map(JOBS.map((job) => [job.name, job]))

/** Throws what the job throws. An unknown name belongs to another release and is left alone. */
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
