import type { Resources } from '../../../src/process/resources.ts'
import { claimAt, recordAt } from './deliveries.ts'

/** One round of a worker, start to end: claims what is due at a webhook, posts it, records the answers. */
export async function deliverDue(
  resources: Resources,
  tenantId: string,
  webhookId: string,
): Promise<void> {
  const { db, sender, clock } = resources
  const webhook = { tenantId, webhookId }
  const terms = { limit: 1_000, deadlineMs: 15_000, now: clock() }
  const claimed = await claimAt(db, webhook, terms)
  const attempts = await Promise.all(
    claimed.map(async (delivery) => {
      const outcome = await sender.send(delivery, clock())
      return { delivery, endedAt: clock(), outcome }
    }),
  )
  await recordAt(db, webhook, attempts, clock())
}
