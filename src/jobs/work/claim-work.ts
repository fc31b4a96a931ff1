import { z } from 'zod'
import { defineJob } from '../define-job.ts'
import type { JobContext } from '../job-context.ts'

/** Has this worker claim what is ready, of whatever topic; it ends before that is done. */
export const claimWorkJob = defineJob({
  name: 'claim-work',
  payload: z.object({ topic: z.string() }),
  async run({ work }: JobContext) {
    work.wake()
  },
})
