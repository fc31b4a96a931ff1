import type { Db } from '../../../db/database.ts'
import { isDistributed } from '../../../db/distribution.ts'
import { selectTenantIds } from '../../tenants/queries.ts'
import { selectOldestDue, selectWebhooksWithDue } from './due-queries.ts'

/** Webhooks with a due delivery, an expired lease or, when inactive, deliveries to cancel. May
 * include others. */
export async function findWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenantId: string; webhookId: string }[]> {
  const rows = await selectWebhooksWithDue(db, now).catch(async (error: unknown) => {
    // A node is away: the tenants of the others are asked one by one.
    if (await isDistributed(db)) return await findOneByOne(db, now)
    throw error
  })
  return rows.map((row) => ({ tenantId: row.tenant_id, webhookId: row.webhook_id }))
}

async function findOneByOne(db: Db, now: Date) {
  const tenantIds = await selectTenantIds(db)
  const found = await Promise.allSettled(
    tenantIds.map((tenantId) => selectWebhooksWithDue(db, now, tenantId)),
  )
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

export async function measureOldestDelivery(db: Db, now: Date): Promise<number> {
  const dueAt = await selectOldestDue(db, now)
  return dueAt ? now.getTime() - dueAt.getTime() : 0
}
