import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryState } from '../../db/schema/events.ts'
import { execute, unprepared } from '../../db/transactions/execute.ts'
import { findInOrder } from './lane-queries.ts'

export type DeliveryRow = {
  webhook_id: string
  event_id: string
  recorded_at: Date
  sequence: bigint
  event_type: string
  state: DeliveryState
  next_attempt_at: Date | null
  retry_requested: boolean
  attempts: number
}

type DeliveryKey = Pick<DeliveryRow, 'webhook_id' | 'event_id' | 'recorded_at'>

/** Pending deliveries of an inactive webhook are shown as cancelled: its lane will still write that. One that waits
 * for its first attempt has been due since its event was recorded. */
const SHOWN = sql`d.webhook_id, d.event_id, d.recorded_at, d.sequence, d.event_type, d.retry_requested, d.attempts,
  CASE WHEN d.state = 'pending' AND w.state <> 'active' THEN 'cancelled' ELSE d.state END AS state,
  CASE WHEN d.state = 'pending' AND w.state = 'active' THEN coalesce(d.next_attempt_at, d.recorded_at)
  END AS next_attempt_at`

type Page = { before: bigint | undefined; limit: number }

/** Newest event first. Reads as many rows as it returns, and of each list as many at most. */
export async function selectDeliveries(
  tx: Tx,
  { tenantId, webhookId }: { tenantId: string; webhookId: string },
  state: DeliveryState | undefined,
  { before, limit }: Page,
): Promise<DeliveryRow[]> {
  const from = (list: RawBuilder<unknown>) => sql`(
    SELECT d.* FROM deliveries d
    WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId} AND ${list}
      AND (${before ?? null}::bigint IS NULL OR d.sequence < ${before ?? null}::bigint)
    ORDER BY d.sequence DESC LIMIT ${limit})`
  const isActive = sql`w.state = 'active'`
  const waiting = sql`d.listed_as IS NULL AND d.sequence > l.seen AND d.state = 'pending'`
  const flying = sql`d.listed_as IS NULL AND d.sequence = ANY (l.in_flight) AND d.state = 'pending'`
  const listedAs = (as: DeliveryState) => sql`d.listed_as = ${as}`
  const pending = (when: RawBuilder<unknown>) =>
    [waiting, flying, listedAs('pending')].map((list) => from(sql`${when} AND ${list}`))
  const lists: Readonly<Record<DeliveryState | 'any', readonly RawBuilder<unknown>[]>> = {
    any: [
      from(sql`d.listed_as IS NULL`),
      ...(['pending', 'delivered', 'dead_lettered', 'cancelled'] as const).map((as) =>
        from(listedAs(as)),
      ),
    ],
    pending: pending(isActive),
    // Each one with a number up to it is in flight or delivered.
    delivered: [
      from(sql`d.listed_as IS NULL AND d.sequence <= l.seen AND d.state = 'delivered'`),
      from(listedAs('delivered')),
    ],
    dead_lettered: [from(listedAs('dead_lettered'))],
    cancelled: [from(listedAs('cancelled')), ...pending(sql`NOT ${isActive}`)],
  }
  tx.send(findInOrder({ off: 'off' }))
  return await execute(
    tx,
    unprepared(sql<DeliveryRow>`
    SELECT ${SHOWN}
    FROM webhooks w JOIN lanes l ON l.tenant_id = ${tenantId} AND l.webhook_id = ${webhookId}
    CROSS JOIN LATERAL (
      SELECT * FROM (${sql.join(lists[state ?? 'any'], sql` UNION ALL `)}) AS listed
      ORDER BY sequence DESC LIMIT ${limit}
    ) d
    WHERE w.tenant_id = ${tenantId} AND w.webhook_id = ${webhookId}
    ORDER BY d.sequence DESC LIMIT ${limit}`),
  )
}

/** To the newest webhooks first. */
export async function selectDeliveriesOfEvent(
  db: Db,
  tenantId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
  limit: number,
): Promise<DeliveryRow[]> {
  const { rows } = await sql<DeliveryRow>`
    SELECT ${SHOWN} FROM deliveries d
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = d.webhook_id
    WHERE d.tenant_id = ${tenantId} AND d.event_id = ${eventId} AND d.recorded_at = ${recordedAt}
    ORDER BY d.webhook_id DESC LIMIT ${limit}`.execute(db)
  return rows
}

export async function selectDelivery(
  db: Db,
  tenantId: string,
  webhookId: string,
  { eventId, recordedAt }: { eventId: string; recordedAt: Date },
): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    SELECT ${SHOWN} FROM deliveries d
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = d.webhook_id
    WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId} AND d.event_id = ${eventId}
      AND d.recorded_at = ${recordedAt}`.execute(db)
  return rows[0]
}

/** The caller has locked the lane. The schedule stays as it is. */
export async function requestRetry(
  tx: Tx,
  tenantId: string,
  { webhook_id: webhookId, event_id: eventId, recorded_at: recordedAt }: DeliveryKey,
  now: Date,
): Promise<Date> {
  const request = sql<{ due_at: Date }>`
    UPDATE deliveries SET retry_requested = true, listed_as = state,
      due_at = ${beforeAllDue(tenantId, webhookId, now)},
      next_attempt_at = CASE WHEN state = 'pending' THEN coalesce(next_attempt_at, recorded_at) END
    WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND event_id = ${eventId}
      AND recorded_at = ${recordedAt}
    RETURNING due_at`
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
  delivery: DeliveryKey,
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
  delivery: DeliveryKey,
): Promise<number> {
  // @plan reads delivery_attempts: few since retries have a limit; a delivery from before has more.
  const { count } = await ofDelivery(db, tenantId, delivery)
    .select(({ fn }) => fn.countAll().as('count'))
    .where('requested', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

function ofDelivery(db: Db, tenantId: string, delivery: DeliveryKey) {
  return db
    .selectFrom('delivery_attempts')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', delivery.webhook_id)
    .where('event_id', '=', delivery.event_id)
    .where('recorded_at', '=', delivery.recorded_at)
}

export type DeliveryPosition = { sequence: bigint; webhookId: string }

export type TenantDeliveryRow = DeliveryRow & { is_active: boolean }

type Wanted = {
  webhookId: string | undefined
  state: DeliveryState | undefined
  sequences: { from: bigint; to: bigint }
}

/** To all webhooks of the tenant, or to one, newest event first, with the state that is stored and whether the
 * webhook is active: some may be in another state than is wanted. Reads `limit` rows of each list at most. */
export async function selectTenantDeliveries(
  tx: Tx,
  tenantId: string,
  { webhookId, state, sequences }: Wanted,
  { before, limit }: { before: DeliveryPosition | undefined; limit: number },
): Promise<TenantDeliveryRow[]> {
  // @plan reads lanes, webhooks: those of one tenant.
  const earlier = before
    ? sql`AND d.sequence <= ${before.sequence}
        AND (d.sequence, d.webhook_id) < (${before.sequence}, ${before.webhookId})`
    : sql``
  const from = (list: RawBuilder<unknown>) => sql`(
    SELECT d.* FROM deliveries d
    WHERE d.tenant_id = ${tenantId} AND ${list}
      AND d.event_type >= '' AND d.sequence BETWEEN ${sequences.from} AND ${sequences.to} ${earlier}
    ORDER BY d.sequence DESC, d.webhook_id DESC LIMIT ${limit})`
  const ofWebhook = webhookId === undefined ? sql`true` : sql`d.webhook_id = ${webhookId}`
  const ordinary = from(sql`${ofWebhook} AND d.listed_as IS NULL`)
  const listedAs = (list: DeliveryState) => from(sql`${ofWebhook} AND d.listed_as = ${list}`)
  const ofLane = sql`d.webhook_id = l.webhook_id AND d.listed_as IS NULL AND d.state = 'pending'`
  const waiting = (isActive: boolean) => sql`(
    SELECT d.* FROM lanes l
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = l.webhook_id
    CROSS JOIN LATERAL (
      ${from(sql`${ofLane} AND d.sequence > l.seen`)}
      UNION ALL ${from(sql`${ofLane} AND d.sequence = ANY (l.in_flight)`)}
    ) d
    WHERE l.tenant_id = ${tenantId} AND (w.state = 'active') = ${isActive} AND ${ofWebhook}
    ORDER BY d.sequence DESC, d.webhook_id DESC LIMIT ${limit})`
  const listed = { pending: listedAs('pending'), cancelled: listedAs('cancelled') }
  const delivered = listedAs('delivered')
  const deadLettered = listedAs('dead_lettered')
  const lists: Readonly<Record<DeliveryState | 'any', readonly RawBuilder<unknown>[]>> = {
    any: [ordinary, ...Object.values(listed), delivered, deadLettered],
    pending: [waiting(true), listed.pending],
    delivered: [ordinary, delivered],
    dead_lettered: [deadLettered],
    cancelled: [listed.cancelled, waiting(false), listed.pending],
  }
  tx.send(findInOrder({ off: 'off' }))
  return await execute(
    tx,
    unprepared(sql<TenantDeliveryRow>`
    SELECT d.webhook_id, d.event_id, d.recorded_at, d.sequence, d.event_type, d.state, d.attempts,
      d.retry_requested, w.state = 'active' AS is_active,
      CASE WHEN d.state = 'pending' THEN coalesce(d.next_attempt_at, d.recorded_at) END AS next_attempt_at
    FROM (
      SELECT * FROM (${sql.join(lists[state ?? 'any'], sql` UNION ALL `)}) AS listed
      ORDER BY sequence DESC, webhook_id DESC LIMIT ${limit}
    ) d
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = d.webhook_id
    ORDER BY d.sequence DESC, d.webhook_id DESC`),
  )
}
