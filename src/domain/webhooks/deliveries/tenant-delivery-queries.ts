import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { DeliveryState } from '../../../db/schema/events.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'
import type { DeliveryRow } from './delivery-queries.ts'

export type DeliveryPosition = { sequence: bigint; webhookId: string }

/** Of all webhooks of the tenant, or of one, newest event first, with the state that is stored and
 * whether the webhook is active. */
export async function selectTenantDeliveries(
  db: Db,
  tenantId: string,
  wanted: {
    webhookId: string | undefined
    states: readonly DeliveryState[]
    sequences: { from: bigint; to: bigint }
  },
  page: { before: DeliveryPosition | undefined; limit: number },
): Promise<(DeliveryRow & { is_active: boolean })[]> {
  const { webhookId, states, sequences } = wanted
  const { before, limit } = page
  const ofWebhook = webhookId === undefined ? sql`` : sql`AND webhook_id = ${webhookId}`
  const earlier =
    before &&
    sql`AND sequence <= ${before.sequence}
        AND (sequence, webhook_id) < (${before.sequence}, ${before.webhookId})`
  const rows = await execute(
    db,
    unprepared(sql<DeliveryRow & { is_active: boolean }>`
    SELECT d.webhook_id, d.event_id, d.recorded_at, d.sequence, d.event_type, d.state,
           d.next_attempt_at, d.due_at, d.lease, d.retry_requested, d.attempts,
           w.state = 'active' AS is_active
    FROM (
      SELECT found.* FROM unnest(${[...states]}::text[]) AS stored (state)
      CROSS JOIN LATERAL (
        SELECT * FROM deliveries
        WHERE tenant_id = ${tenantId} AND state = stored.state ${ofWebhook}
          AND sequence BETWEEN ${sequences.from} AND ${sequences.to} ${earlier ?? sql``}
        ORDER BY sequence DESC, webhook_id DESC LIMIT ${limit}
      ) found
      ORDER BY found.sequence DESC, found.webhook_id DESC LIMIT ${limit}
    ) d
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = d.webhook_id
    ORDER BY d.sequence DESC, d.webhook_id DESC`),
  )
  return rows
}
