import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { PLANNED_EACH_TIME } from '../../db/preparing-client.ts'

/** Webhooks whose due instant has come: the cost follows what is due, whatever else is pending. */
export async function selectWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenant_id: string; webhook_id: string }[]> {
  return await db
    .selectFrom('webhook_dues')
    .select(['tenant_id', 'webhook_id'])
    .where('due_at', '<=', now)
    .execute()
}

/**
 * When the delivery that has been due for longest became so; undefined where none is due at `now`.
 * Reads the deliveries themselves: a webhook's due instant may be too early.
 */
export async function selectOldestDue(db: Db, now: Date): Promise<Date | undefined> {
  // @plan reads webhook_dues, deliveries: one row each for every webhook that has something due.
  const { rows } = await sql<{ due_at: Date | null }>`
    ${sql.raw(PLANNED_EACH_TIME)}
    SELECT min(oldest.due_at) AS due_at FROM webhook_dues w CROSS JOIN LATERAL (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= ${now}
      ORDER BY d.due_at LIMIT 1
    ) oldest
    WHERE w.due_at <= ${now}
  `.execute(db)
  return rows[0]?.due_at ?? undefined
}

/** Makes a webhook due at `dueAt` where it is not due before. The caller holds the webhook's lock. */
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

/**
 * Sets a webhook's due instant to that of its earliest delivery. The caller holds the webhook's lock.
 *
 * Does nothing while an event of the tenant is being written: its deliveries cannot be seen yet, and
 * where it found the webhook due it has left the due instant alone. A transaction that writes an event holds the
 * tenant's counter until it commits, so nothing is being written once the counter is locked here; and
 * where the counter has not moved since this statement began, the statement sees all that was written.
 * What is not done here the next sweep repeats.
 */
export async function settleDue(tx: Tx, tenantId: string, webhookId: string): Promise<void> {
  await sql`
    WITH counter AS MATERIALIZED (
      SELECT last_sequence FROM tenant_counters WHERE tenant_id = ${tenantId}
      FOR SHARE SKIP LOCKED
    )
    UPDATE webhook_dues w SET due_at = (
      SELECT d.due_at FROM deliveries d
      WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId} AND d.due_at IS NOT NULL
      ORDER BY d.due_at LIMIT 1)
    FROM counter, tenant_counters seen
    WHERE w.tenant_id = ${tenantId} AND w.webhook_id = ${webhookId}
      AND seen.tenant_id = ${tenantId} AND seen.last_sequence = counter.last_sequence
  `.execute(tx)
}

/** Nothing of a webhook is due any more, which is not active and whose lock the caller holds. */
export async function clearDue(tx: Tx, tenantId: string, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_dues')
    .set({ due_at: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .execute()
}
