import type { Db } from '../../../db/database.ts'
import { readPresent } from '../../tenants/each-tenant.ts'
import { selectOldestDue, selectWebhooksWithDue } from './due-queries.ts'

/** Webhooks with a due delivery, an expired lease or, when inactive, deliveries to cancel. May
 * include others. */
export async function findWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenantId: string; webhookId: string }[]> {
  const rows = await readPresent(db, (tenantId) => selectWebhooksWithDue(db, now, tenantId))
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }))
}

export async function measureOldestDelivery(db: Db, now: Date): Promise<number> {
  const dueAt = await selectOldestDue(db, now)
  return dueAt ? now.getTime() - dueAt.getTime() : 0
}
