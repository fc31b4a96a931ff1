import type { Db } from '../../db/database.ts'
import { selectOldestDue, selectWebhooksWithDue } from './due-queries.ts'

/**
 * Every webhook that has a delivery due at `now`, or one whose lease ran out, or is not active and has
 * deliveries that are still to be cancelled. May name others, which have nothing due.
 */
export async function findWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenantId: string; webhookId: string }[]> {
  const rows = await selectWebhooksWithDue(db, now)
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }))
}

/** For how long the delivery that is due for longest has waited, in milliseconds; 0 without any. */
export async function measureOldestDelivery(db: Db, now: Date): Promise<number> {
  const dueAt = await selectOldestDue(db, now)
  return dueAt ? now.getTime() - dueAt.getTime() : 0
}
