import type { Logger } from 'pino'
import { z } from 'zod'
import type { JobContext } from './job-context.ts'
import { CLAIM_WORK } from './work/wake-queue.ts'

type Job<Context> = {
  name: string
  /** May run twice with the same payload. */
  run(context: Context, payload: unknown, log: Logger): Promise<void>
}

/** The payload holds ids only; an earlier release may have written it. */
function defineJob<Context, Schema extends z.ZodType>(job: {
  name: string
  payload: Schema
  run(context: Context, payload: z.output<Schema>, log: Logger): Promise<void>
}): Job<Context> {
  return {
    name: job.name,
    run: (context, payload, log) => job.run(context, job.payload.parse(payload), log),
  }
}

/** Earlier releases wake deliveries by a job. */
const deliverWebhook = defineJob({
  name: 'deliver-webhook',
  payload: z.object({ tenantId: z.string(), webhookId: z.string() }),
  async run({ lanes }: JobContext, { tenantId, webhookId }) {
    lanes.wake(tenantId, webhookId)
  },
})

const claimWork = defineJob({
  name: CLAIM_WORK,
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
