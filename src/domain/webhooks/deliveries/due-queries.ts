import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { inScope, ownTenant, type TenantScope } from '../../../db/tenant-scope.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'
import type { WebhookName } from './lane-queries.ts'

export async function selectWebhooksWithDue(
  db: Db,
  now: Date,
  tenantId?: TenantScope,
): Promise<{ tenant_id: string; webhook_id: string }[]> {
  // @across tenants: finds which webhooks to wake; locks nothing.
  return await db
    .selectFrom('webhook_dues')
    .select(['tenant_id', 'webhook_id'])
    .where(inScope(tenantId))
    .where('due_at', '<=', now)
    .execute()
}

/** Reads the deliveries, because a webhook's due instant may be too early. */
export async function selectOldestDue(db: Db, now: Date): Promise<Date | undefined> {
  // @across tenants: a measure of all.
  // @plan reads webhook_dues, deliveries: one row each for every webhook that has something due.
  const rows = await execute(
    db,
    unprepared(sql<{ due_at: Date | null }>`
    SELECT min(oldest.due_at) AS due_at FROM webhook_dues w CROSS JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= ${now}
      ORDER BY d.due_at LIMIT 1
    ) oldest
    WHERE w.due_at <= ${now}
  `),
  )
  return rows[0]?.due_at ?? undefined
}

/** The caller holds the webhook's lock. */
export async function lowerDue(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  dueAt: Date,
): Promise<void> {
  await tx
    .updateTable('webhook_dues')
    .set({ due_at: dueAt })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where((due) => due.or([due('due_at', 'is', null), due('due_at', '>', dueAt)]))
    .execute()
}

/** The caller holds the webhooks' locks. Deliveries of an event that is being written are not visible yet. Such a transaction holds the tenant's counter: skip when it is locked or has moved since
 * this statement began. The next sweep repeats what is skipped. */
export function settleDue(tx: Tx, webhooks: readonly WebhookName[]): void {
  const tenantIds = [...new Set(webhooks.map(({ tenantId }) => tenantId))]
  const tenant = ownTenant(webhooks)
  tx.send(sql`
    WITH counter AS MATERIALIZED (
      SELECT c.* FROM unnest(${tenantIds}::text[]) AS wanted (tenant_id)
      CROSS JOIN LATERAL (
        SELECT tenant_id, last_sequence FROM tenant_counters
        WHERE tenant_id = ${tenant('wanted')}
        FOR SHARE SKIP LOCKED
      ) c
    )
    UPDATE webhook_dues w SET due_at = (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = ${tenant('w')} AND d.webhook_id = w.webhook_id AND d.due_at IS NOT NULL
      ORDER BY d.due_at LIMIT 1)
    FROM unnest(${webhooks.map((w) => w.tenantId)}::text[],
                ${webhooks.map((w) => w.webhookId)}::text[]) AS wanted (tenant_id, webhook_id),
         counter, tenant_counters seen
    WHERE w.tenant_id = ${tenant('wanted')} AND w.webhook_id = wanted.webhook_id
      AND counter.tenant_id = wanted.tenant_id AND seen.tenant_id = ${tenant('wanted')}
      AND seen.last_sequence = counter.last_sequence
  `)
}

export async function clearDue(tx: Tx, tenantId: string, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_dues')
    .set({ due_at: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()
}
