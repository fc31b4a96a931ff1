import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryState } from '../../db/schema.ts'
import { DELIVERY_STATES } from './decide-outcome.ts'

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

/**
 * What a webhook that is not active has pending is as good as cancelled: nothing of it is attempted
 * any more, and of a long backlog its lane is still about to write so.
 */
const STATE_SHOWN = sql<DeliveryState>`
  CASE WHEN d.state = 'pending' AND w.state <> 'active' THEN 'cancelled' ELSE d.state END`
const NEXT_ATTEMPT_SHOWN = sql<Date | null>`
  CASE WHEN w.state = 'active' THEN d.next_attempt_at END`

/**
 * Deliveries of a webhook in any of `states`, newest event first: one index walk a state. Of one that
 * is not active, those that are cancelled or still to be.
 */
export async function selectDeliveries(
  db: Db,
  tenantId: string,
  webhookId: string,
  page: { states: readonly DeliveryState[]; before: bigint | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    SELECT d.webhook_id, d.event_id, d.recorded_at, d.sequence, d.event_type,
           ${STATE_SHOWN} AS state, ${NEXT_ATTEMPT_SHOWN} AS next_attempt_at, d.due_at, d.lease
    FROM webhooks w
    JOIN unnest(${[...DELIVERY_STATES]}::text[]) AS stored (state)
      ON CASE WHEN stored.state = 'pending' AND w.state <> 'active' THEN 'cancelled'
              ELSE stored.state END = ANY (${[...page.states]}::text[])
    CROSS JOIN LATERAL (
      SELECT * FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND state = stored.state
        AND (${page.before ?? null}::bigint IS NULL OR sequence < ${page.before ?? null}::bigint)
      ORDER BY sequence DESC LIMIT ${page.limit}
    ) d
    WHERE w.tenant_id = ${tenantId} AND w.webhook_id = ${webhookId}
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
    .select(['d.webhook_id', 'd.event_id', 'd.recorded_at', 'd.sequence', 'd.event_type'])
    .select([STATE_SHOWN.as('state'), NEXT_ATTEMPT_SHOWN.as('next_attempt_at')])
    .select(['d.due_at', 'd.lease'])
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

/**
 * Makes a delivery due at once, outside its schedule, before whatever else is due at its webhook, whose
 * lock the caller holds; gives the instant at which it is. A lease that ran out loses it for good.
 */
export async function requestRetry(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  { event_id: eventId, recorded_at: recordedAt }: Pick<DeliveryRow, 'event_id' | 'recorded_at'>,
  now: Date,
): Promise<Date> {
  const row = await tx
    .updateTable('deliveries')
    .set({ retry_requested: true, due_at: beforeAllDue(tenantId, webhookId, now), lease: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .returning('due_at')
    .executeTakeFirst()
  return row?.due_at ?? now
}

/**
 * Claims take what has been due for longest. By a millisecond only, so that what waits for longest is
 * still told as it is.
 */
const beforeAllDue = (tenantId: string, webhookId: string, now: Date) => sql<Date>`
  least(${now}::timestamptz, (
    SELECT waiting.due_at - interval '1 millisecond' FROM deliveries waiting
    WHERE waiting.tenant_id = ${tenantId} AND waiting.webhook_id = ${webhookId}
      AND waiting.due_at IS NOT NULL
    ORDER BY waiting.due_at LIMIT 1))`

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
