import { z } from 'zod'
import { runWork, type WorkResult } from '../domain/outbox/outbox.ts'
import { defineJob, type Job } from './define-job.ts'
import type { JobContext } from './job-context.ts'

/**
 * A job that does the outbox's work of one topic: it claims the item, runs, and settles it, so that
 * the work is done though this process dies, and by one process at a time.
 */
export function defineWorkJob(
  topic: string,
  run: (context: JobContext, tenantId: string, subjectId: string) => Promise<WorkResult>,
): Job<JobContext> {
  return defineJob({
    name: topic,
    payload: z.object({ tenantId: z.string(), subjectId: z.string() }),
    async run(context: JobContext, { tenantId, subjectId }) {
      await runWork(context.db, { tenantId, topic, subjectId }, context.clock, () =>
        run(context, tenantId, subjectId),
      )
    },
  })
}
