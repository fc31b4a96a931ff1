import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/**
 * Webhooks with a due delivery, and those that are not active and have one to be cancelled, due or
 * not. Hops through the index from one webhook to the next, so a long backlog of one costs no more
 * than a short one.
 */
export async function selectWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenant_id: string; webhook_id: string }[]> {
  const { rows } = await sql<{ tenant_id: string; webhook_id: string }>`
    ${WAITING_WEBHOOKS}
    SELECT w.tenant_id, w.webhook_id FROM waiting w CROSS JOIN LATERAL (
      SELECT FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= ${now}
      -- With EXISTS, which is the same, the planner may read all that is due instead.
      LIMIT 1
    ) due
    UNION
    SELECT w.tenant_id, w.webhook_id FROM waiting w
    JOIN webhooks ended USING (tenant_id, webhook_id) WHERE ended.state <> 'active'
  `.execute(db)
  return rows
}

/** When the delivery that has been due for longest became so. Hops through the index likewise. */
export async function selectOldestDue(db: Db): Promise<Date | undefined> {
  const { rows } = await sql<{ due_at: Date | null }>`
    ${WAITING_WEBHOOKS}
    SELECT min(oldest.due_at) AS due_at FROM waiting w CROSS JOIN LATERAL (
      SELECT due_at FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND due_at IS NOT NULL
      ORDER BY due_at LIMIT 1
    ) oldest
  `.execute(db)
  return rows[0]?.due_at ?? undefined
}

const WAITING_WEBHOOKS = sql`
    WITH RECURSIVE waiting AS (
      (SELECT tenant_id, webhook_id FROM deliveries WHERE due_at IS NOT NULL
       ORDER BY tenant_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT next.tenant_id, next.webhook_id FROM waiting w CROSS JOIN LATERAL (
        SELECT tenant_id, webhook_id FROM deliveries
        WHERE due_at IS NOT NULL AND (tenant_id, webhook_id) > (w.tenant_id, w.webhook_id)
        ORDER BY tenant_id, webhook_id LIMIT 1
      ) next
    )`
