import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryState } from '../../../db/schema/events.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'
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
  retry_requested: boolean
  attempts: number
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
  'retry_requested',
  'attempts',
] as const

/** Pending deliveries of an inactive webhook count as cancelled: its lane will still write that. */
const STATE_SHOWN = sql<DeliveryState>`
  CASE WHEN d.state = 'pending' AND w.state <> 'active' THEN 'cancelled' ELSE d.state END`
const NEXT_ATTEMPT_SHOWN = sql<Date | null>`
  CASE WHEN w.state = 'active' THEN d.next_attempt_at END`

export async function selectDeliveries(
  db: Db,
  tenantId: string,
  webhookId: string,
  page: { states: readonly DeliveryState[]; before: bigint | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const rows = await execute(
    db,
    unprepared(sql<DeliveryRow>`
    SELECT d.webhook_id, d.event_id, d.recorded_at, d.sequence, d.event_type,
           ${STATE_SHOWN} AS state, ${NEXT_ATTEMPT_SHOWN} AS next_attempt_at, d.due_at, d.lease,
           d.retry_requested, d.attempts
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
  `),
  )
  return rows
}

/** To the newest webhooks first. */
export async function selectDeliveriesOfEvent(
  db: Db,
  tenantId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
  limit: number,
): Promise<DeliveryRow[]> {
  return await db
    .selectFrom('deliveries as d')
    .innerJoin('webhooks as w', (join) =>
      join.onRef('w.tenant_id', '=', 'd.tenant_id').onRef('w.webhook_id', '=', 'd.webhook_id'),
    )
    .select(['d.webhook_id', 'd.event_id', 'd.recorded_at', 'd.sequence', 'd.event_type'])
    .select([STATE_SHOWN.as('state'), NEXT_ATTEMPT_SHOWN.as('next_attempt_at')])
    .select(['d.due_at', 'd.lease', 'd.retry_requested', 'd.attempts'])
    .where('w.tenant_id', '=', tenantId)
    .where('d.tenant_id', '=', tenantId)
    .where('d.event_id', '=', eventId)
    .where('d.recorded_at', '=', recordedAt)
    .orderBy('d.webhook_id', 'desc')
    .limit(limit)
    .execute()
}

export async function selectDelivery(
  db: Db,
  tenantId: string,
  webhookId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
): Promise<Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'> | undefined> {
  return await db
    .selectFrom('deliveries')
    .select(['webhook_id', 'event_id', 'recorded_at'])
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .executeTakeFirst()
}

export async function lockDelivery(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
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

/** The caller holds the webhook's lock. Ends a lease that ran out. */
export async function requestRetry(
  tx: Tx,
  tenantId: string,
  row: Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'>,
  now: Date,
): Promise<Date> {
  const { webhook_id: webhookId, event_id: eventId, recorded_at: recordedAt } = row
  const request = tx
    .updateTable('deliveries')
    .set({ retry_requested: true, due_at: beforeAllDue(tenantId, webhookId, now), lease: null })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('event_id', '=', eventId)
    .where('recorded_at', '=', recordedAt)
    .returning('due_at')
  const [requested] = await execute(tx, unprepared(request))
  return requested?.due_at ?? now
}

/** Claims take the oldest due instant. One millisecond earlier keeps the age shown right. */
const beforeAllDue = (tenantId: string, webhookId: string, now: Date) => sql<Date>`
  least(${now}::timestamptz, (
    SELECT waiting.due_at - interval '1 millisecond' FROM deliveries waiting
    WHERE waiting.tenant_id = ${tenantId} AND waiting.webhook_id = ${webhookId}
      AND waiting.due_at IS NOT NULL
    ORDER BY waiting.due_at LIMIT 1))`

export type AttemptRow = Omit<DeliveryAttemptRow, 'tenant_id' | 'recorded_at'>

export async function selectAttempts(
  db: Db,
  tenantId: string,
  deliveries: readonly DeliveryRow[],
  each: number,
) {
  const { rows } = await sql<AttemptRow>`
    SELECT d.webhook_id, d.event_id, a.*
    FROM unnest(${deliveries.map((d) => d.webhook_id)}::text[],
                ${deliveries.map((d) => d.event_id)}::text[],
                ${deliveries.map((d) => d.recorded_at)}::timestamptz[])
      AS d (webhook_id, event_id, recorded_at)
    CROSS JOIN LATERAL (
      SELECT number, started_at, status, error, duration_ms, response_excerpt, requested
      FROM delivery_attempts
      WHERE tenant_id = ${tenantId} AND webhook_id = d.webhook_id AND event_id = d.event_id
        AND recorded_at = d.recorded_at
      ORDER BY number DESC LIMIT ${each}
    ) a
    ORDER BY a.number DESC
  `.execute(db)
  return rows
}

export async function selectAttemptsBefore(
  db: Db,
  tenantId: string,
  delivery: Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'>,
  page: { before: number | undefined; limit: number },
): Promise<AttemptRow[]> {
  const attempts = ofDelivery(db, tenantId, delivery)
    .select(['webhook_id', 'event_id', 'number', 'started_at', 'status', 'error', 'duration_ms'])
    .select(['response_excerpt', 'requested'])
    .orderBy('number', 'desc')
    .limit(page.limit)
  const { before } = page
  return await (before === undefined ? attempts : attempts.where('number', '<', before)).execute()
}

export async function countRequestedAttempts(
  db: Db,
  tenantId: string,
  delivery: Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'>,
): Promise<number> {
  // @plan reads delivery_attempts: few since retries have a limit; a delivery from before has more.
  const { count } = await ofDelivery(db, tenantId, delivery)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('requested', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function ofDelivery(
  db: Db,
  tenantId: string,
  delivery: Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'>,
) {
  return db
    .selectFrom('delivery_attempts')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', delivery.webhook_id)
    .where('event_id', '=', delivery.event_id)
    .where('recorded_at', '=', delivery.recorded_at)
}
