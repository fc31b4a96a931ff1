import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryState } from '../../db/schema.ts'

export type DeliveryRow = {
  webhook_id: string
  event_id: string
  recorded_at: Date
  sequence: bigint
  event_type: string
  state: DeliveryState
  next_attempt_at: Date | null
  due_at: Date | null
  lease: string | null
}

const DELIVERY_COLUMNS = [
  'webhook_id',
  'event_id',
  'recorded_at',
  'sequence',
  'event_type',
  'state',
  'next_attempt_at',
  'due_at',
  'lease',
] as const

/** Deliveries of a webhook in any of `states`, newest event first: one index walk a state. */
export async function selectDeliveries(
  db: Db,
  tenantId: string,
  webhookId: string,
  page: { states: readonly DeliveryState[]; before: bigint | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    SELECT d.* FROM unnest(${[...page.states]}::text[]) AS wanted (state)
    CROSS JOIN LATERAL (
      SELECT webhook_id, event_id, recorded_at, sequence, event_type, state, next_attempt_at,
             due_at, lease
      FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND state = wanted.state
        AND (${page.before ?? null}::bigint IS NULL OR sequence < ${page.before ?? null}::bigint)
      ORDER BY sequence DESC LIMIT ${page.limit}
    ) d
    ORDER BY d.sequence DESC LIMIT ${page.limit}
  `.execute(db)
  return rows
}

/** The deliveries of one event; `recordedAt` is the instant within its id. */
export async function selectDeliveriesOfEvent(
  db: Db,
  tenantId: string,
  eventId: string,
  recordedAt: Date,
): Promise<DeliveryRow[]> {
  return await db
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.tenant_id', '=', 'd.tenant_id').onRef('w.webhook_id', '=', 'd.webhook_id'),
    )
    .select(DELIVERY_COLUMNS.map((column) => `d.${column}` as const))
    .where('w.tenant_id', '=', tenantId)
    .where('d.event_id', '=', eventId)
    .where('d.recorded_at', '=', recordedAt)
    .orderBy('d.webhook_id')
    .execute()
}

export async function lockDelivery(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  eventId: string,
  recordedAt: Date,
): Promise<DeliveryRow | undefined> {
  return await tx
    .selectFrom('deliveries')
    .select(DELIVERY_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .forUpdate()
    .executeTakeFirst()
}

/** Makes a delivery due at once, outside its schedule. A lease that ran out loses it for good. */
export async function requestRetry(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  eventId: string,
  recordedAt: Date,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ retry_requested: true, due_at: now, lease: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .execute()
}

/** The attempts of these deliveries, each delivery's in order. */
export async function selectAttempts(db: Db, tenantId: string, deliveries: readonly DeliveryRow[]) {
  const { rows } = await sql<Omit<DeliveryAttemptRow, 'tenant_id' | 'recorded_at'>>`
    SELECT a.webhook_id, a.event_id, a.number, a.started_at, a.status, a.error, a.duration_ms,
           a.response_excerpt, a.requested
    FROM unnest(${deliveries.map((d) => d.webhook_id)}::text[],
                ${deliveries.map((d) => d.event_id)}::text[],
                ${deliveries.map((d) => d.recorded_at)}::timestamptz[])
      AS d (webhook_id, event_id, recorded_at)
    JOIN delivery_attempts a ON a.tenant_id = ${tenantId} AND a.webhook_id = d.webhook_id
      AND a.event_id = d.event_id AND a.recorded_at = d.recorded_at
    ORDER BY a.number
  `.execute(db)
  return rows
}
