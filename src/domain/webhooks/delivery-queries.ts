import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { DeliveryAttemptRow, DeliveryState } from '../../db/schema.ts'

export type ClaimedRow = {
  event_id: string
  recorded_at: Date
  attempts: number
  failures: number
  state: DeliveryState
  next_attempt_at: Date | null
  retry_requested: boolean
  url: string
  body: string
}

/**
 * Has this transaction commit without waiting for the disk. What a crash of the database could then
 * lose, of a claim or a record, is made good by one more attempt, which deliveries promise anyway;
 * nothing of it is lost in part, and the event itself was on disk before.
 */
const COMMIT_SOON = sql`set_config('synchronous_commit', 'off', true)`

/** Has this transaction wait for the disk after all: a webhook that was disabled stays so. */
export async function commitDurably(tx: Tx): Promise<void> {
  await sql`SET LOCAL synchronous_commit TO DEFAULT`.execute(tx)
}

/**
 * Leases up to `limit` due deliveries of one webhook: until `until` nobody else claims them. Rows
 * that another worker is claiming at this moment are passed over, not waited for.
 */
export async function claimDue(
  db: Db,
  tenantId: string,
  webhookId: string,
  claim: { lease: string; now: Date; until: Date; limit: number },
): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    WITH due AS (
      SELECT event_id, recorded_at FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND due_at <= ${claim.now}
      ORDER BY due_at LIMIT ${claim.limit} FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE deliveries d SET lease = ${claim.lease}, due_at = ${claim.until}
      FROM due
      WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId}
        AND d.event_id = due.event_id AND d.recorded_at = due.recorded_at
      RETURNING d.event_id, d.recorded_at, d.sequence, d.attempts, d.failures, d.state,
                d.next_attempt_at, d.retry_requested
    )
    SELECT claimed.*, w.url, e.body, ${COMMIT_SOON} AS commit FROM claimed
    JOIN webhooks w ON w.tenant_id = ${tenantId} AND w.webhook_id = ${webhookId}
    JOIN events e ON e.tenant_id = ${tenantId} AND e.event_id = claimed.event_id
                 AND e.recorded_at = claimed.recorded_at
    ORDER BY claimed.sequence
  `.execute(db)
  return rows
}

/** Locks those of the deliveries whose lease is still `lease`, in their present state. */
export async function lockLeased(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  leases: readonly { eventId: string; recordedAt: Date; lease: string }[],
) {
  const { rows } = await sql<{ event_id: string; lease: string; state: DeliveryState }>`
    SELECT d.event_id, d.lease, d.state, ${COMMIT_SOON} AS commit FROM deliveries d
    JOIN unnest(${leases.map((l) => l.eventId)}::text[],
                ${leases.map((l) => l.recordedAt)}::timestamptz[],
                ${leases.map((l) => l.lease)}::uuid[]) AS held (event_id, recorded_at, lease)
      ON d.event_id = held.event_id AND d.recorded_at = held.recorded_at AND d.lease = held.lease
    WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId}
    ORDER BY d.sequence
    FOR UPDATE OF d
  `.execute(tx)
  return rows
}

export type OutcomeRow = {
  eventId: string
  recordedAt: Date
  number: number
  startedAt: Date
  status: number | null
  error: string | null
  durationMs: number
  responseExcerpt: string
  requested: boolean
  state: DeliveryState
  failures: number
  nextAttemptAt: Date | null
}

/** Writes attempts and what they made of their deliveries. The caller holds the deliveries' locks. */
export async function writeOutcomes(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  outcomes: readonly OutcomeRow[],
): Promise<void> {
  const column = <T>(pick: (outcome: OutcomeRow) => T) => outcomes.map(pick)
  await sql`
    WITH outcome AS (
      SELECT * FROM unnest(
        ${column((o) => o.eventId)}::text[], ${column((o) => o.recordedAt)}::timestamptz[],
        ${column((o) => o.number)}::int[], ${column((o) => o.startedAt)}::timestamptz[],
        ${column((o) => o.status)}::smallint[], ${column((o) => o.error)}::text[],
        ${column((o) => o.durationMs)}::int[], ${column((o) => o.responseExcerpt)}::text[],
        ${column((o) => o.requested)}::boolean[], ${column((o) => o.state)}::text[],
        ${column((o) => o.failures)}::int[], ${column((o) => o.nextAttemptAt)}::timestamptz[]
      ) AS o (event_id, recorded_at, number, started_at, status, error, duration_ms,
              response_excerpt, requested, state, failures, next_attempt_at)
    ), attempt AS (
      INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
        started_at, status, error, duration_ms, response_excerpt, requested)
      SELECT ${tenantId}, ${webhookId}, event_id, recorded_at, number, started_at, status, error,
             duration_ms, response_excerpt, requested
      FROM outcome
    )
    UPDATE deliveries d SET
      state = o.state, attempts = o.number, failures = o.failures, lease = NULL,
      next_attempt_at = o.next_attempt_at, due_at = o.next_attempt_at, retry_requested = false
    FROM outcome o
    WHERE d.tenant_id = ${tenantId} AND d.webhook_id = ${webhookId}
      AND d.event_id = o.event_id AND d.recorded_at = o.recorded_at
  `.execute(tx)
}

/** Cancels whatever of a webhook is still to be delivered. Leases stay: attempts under way end. */
export async function cancelPending(tx: Tx, tenantId: string, webhookId: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ due_at: null, next_attempt_at: null, retry_requested: false, state: cancelledIfPending })
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', webhookId)
    .where('due_at', 'is not', null)
    .execute()
}

const cancelledIfPending = sql<DeliveryState>`CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END`

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

/**
 * Webhooks with a due delivery. Hops through the index from one webhook to the next, so a long
 * backlog of one costs no more than a short one.
 */
export async function selectWebhooksWithDue(
  db: Db,
  now: Date,
): Promise<{ tenant_id: string; webhook_id: string }[]> {
  const { rows } = await sql<{ tenant_id: string; webhook_id: string }>`
    ${WAITING_WEBHOOKS}
    SELECT tenant_id, webhook_id FROM waiting w WHERE EXISTS (
      SELECT 1 FROM deliveries d
      WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at <= ${now}
    )
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
