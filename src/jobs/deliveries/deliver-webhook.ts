import { z } from 'zod'
import { defineJob } from '../define-job.ts'
import type { JobContext } from '../job-context.ts'

/** Wakes the lane of a webhook. The lane delivers by itself: this job holds no slot meanwhile. */
export const deliverWebhook = defineJob({
  name: 'deliver-webhook',
  payload: z.object({ tenantId: z.string(), webhookId: z.string() }),
  async run({ lanes }: JobContext, { tenantId, webhookId }) {
    lanes.wake(tenantId, webhookId)
  },
})
