import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema.ts'

export type LaneRow = {
  state: 'active' | 'disabled' | 'deleted'
  consecutive_failed_attempts: number
  url: string
}

/**
 * Locks a webhook, in whatever state, and with it its deliveries: whoever changes a delivery that
 * exists holds this lock. NO KEY: deliveries that refer to it can still be inserted.
 *
 * Has this transaction commit without waiting for the disk. What a crash of the database could then
 * lose, of a claim or a record, is made good by one more attempt, which deliveries promise anyway;
 * nothing of it is lost in part, and the event itself was on disk before.
 */
export async function lockLane(
  tx: Tx,
  tenantId: string,
  webhookId: string,
): Promise<LaneRow | undefined> {
  return await selectLane(tx, tenantId, webhookId, sql``)
}

/** Locks a webhook as `lockLane` does, where nobody else holds it; undefined where somebody does. */
export async function tryLockLane(
  tx: Tx,
  tenantId: string,
  webhookId: string,
): Promise<LaneRow | undefined> {
  return await selectLane(tx, tenantId, webhookId, sql`SKIP LOCKED`)
}

async function selectLane(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  whereLocked: RawBuilder<unknown>,
): Promise<LaneRow | undefined> {
  // Deliveries and events are then found by their keys alone, and what is due in the order of its
  // index without sorting the rest, whatever the planner takes for likely.
  const { rows } = await sql<LaneRow>`
    SELECT state, consecutive_failed_attempts, url,
           set_config('synchronous_commit', 'off', true) AS commit,
           set_config('enable_hashjoin', 'off', true) AS hash_joins,
           set_config('enable_mergejoin', 'off', true) AS merge_joins,
           set_config('enable_sort', 'off', true) AS sorts
    FROM webhooks WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId}
    FOR NO KEY UPDATE ${whereLocked}
  `.execute(tx)
  return rows[0]
}

/** Has this transaction wait for the disk after all: a webhook that was disabled stays so. */
export async function commitDurably(tx: Tx): Promise<void> {
  await sql`SET LOCAL synchronous_commit TO DEFAULT`.execute(tx)
}

export type ClaimedRow = {
  event_id: string
  recorded_at: Date
  attempts: number
  failures: number
  state: DeliveryState
  next_attempt_at: Date | null
  retry_requested: boolean
  body: string
  /** Of what wrote the event. */
  traceparent: string | null
  /** The tenant's signing secret, sealed. */
  sealed: string | null
}

/**
 * Leases up to `limit` due deliveries of a webhook whose lock the caller holds: until `until` nobody
 * else claims them. With them comes the secret as it is at this moment.
 *
 * The webhook is named once, for `due`; the update finds each row by all four columns of its key,
 * for it has no other way to find it. Given the webhook too, a planner whose statistics are behind
 * may read all of its deliveries, once for each that is claimed. Each event is likewise looked up
 * by its key: the limit keeps the planner from joining it in another way.
 */
export async function claimDue(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  claim: { lease: string; now: Date; until: Date; limit: number },
): Promise<ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, webhook_id, event_id, recorded_at FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND due_at <= ${claim.now}
      ORDER BY due_at LIMIT ${claim.limit}
    ), claimed AS (
      UPDATE deliveries d SET lease = ${claim.lease}, due_at = ${claim.until}
      FROM due
      WHERE d.tenant_id = due.tenant_id AND d.webhook_id = due.webhook_id
        AND d.event_id = due.event_id AND d.recorded_at = due.recorded_at
      RETURNING d.tenant_id, d.event_id, d.recorded_at, d.sequence, d.attempts, d.failures,
                d.state, d.next_attempt_at, d.retry_requested
    )
    SELECT claimed.*, e.body, e.traceparent, s.sealed FROM claimed
    CROSS JOIN LATERAL (
      SELECT body, traceparent FROM events
      WHERE tenant_id = claimed.tenant_id AND event_id = claimed.event_id
        AND recorded_at = claimed.recorded_at
      LIMIT 1
    ) e
    LEFT JOIN signing_secrets s ON s.tenant_id = claimed.tenant_id
    ORDER BY claimed.sequence
  `.execute(tx)
  return rows
}

export type OutcomeRow = {
  eventId: string
  recordedAt: Date
  lease: string
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

/**
 * Writes attempts and what they made of their deliveries, of a webhook whose lock the caller holds.
 * Gives those that were written: the others' leases have passed to somebody else. The limit, which
 * leaves nothing out, tells the planner that there are few: see `claimDue`.
 */
export async function writeOutcomes(
  tx: Tx,
  tenantId: string,
  webhookId: string,
  outcomes: readonly OutcomeRow[],
): Promise<{ event_id: string; lease: string }[]> {
  const column = <T>(pick: (outcome: OutcomeRow) => T) => outcomes.map(pick)
  const { rows } = await sql<{ event_id: string; lease: string }>`
    WITH outcome AS MATERIALIZED (
      SELECT ${tenantId}::text AS tenant_id, ${webhookId}::text AS webhook_id, o.* FROM unnest(
        ${column((o) => o.eventId)}::text[], ${column((o) => o.recordedAt)}::timestamptz[],
        ${column((o) => o.lease)}::uuid[],
        ${column((o) => o.number)}::int[], ${column((o) => o.startedAt)}::timestamptz[],
        ${column((o) => o.status)}::smallint[], ${column((o) => o.error)}::text[],
        ${column((o) => o.durationMs)}::int[], ${column((o) => o.responseExcerpt)}::text[],
        ${column((o) => o.requested)}::boolean[], ${column((o) => o.state)}::text[],
        ${column((o) => o.failures)}::int[], ${column((o) => o.nextAttemptAt)}::timestamptz[]
      ) AS o (event_id, recorded_at, lease, number, started_at, status, error, duration_ms,
              response_excerpt, requested, state, failures, next_attempt_at)
      LIMIT ${outcomes.length}
    ), settled AS (
      UPDATE deliveries d SET
        state = o.state, attempts = o.number, failures = o.failures, lease = NULL,
        next_attempt_at = o.next_attempt_at, due_at = o.next_attempt_at, retry_requested = false
      FROM outcome o
      WHERE d.tenant_id = o.tenant_id AND d.webhook_id = o.webhook_id
        AND d.event_id = o.event_id AND d.recorded_at = o.recorded_at AND d.lease = o.lease
      RETURNING o.*
    ), attempt AS (
      INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
        started_at, status, error, duration_ms, response_excerpt, requested)
      SELECT tenant_id, webhook_id, event_id, recorded_at, number, started_at, status, error,
             duration_ms, response_excerpt, requested
      FROM settled
    )
    SELECT event_id, lease FROM settled
  `.execute(tx)
  return rows
}

/** Deliveries that are cancelled at once, at most: some tens of milliseconds under the lock. */
export const CANCEL_BATCH = 1_000

/**
 * Cancels a batch of what is still to be delivered of a webhook whose lock the caller holds; gives
 * the number. Leases stay: attempts under way end. Finds each row as `claimDue` does, and the joins
 * and sorts that would read all deliveries for a batch of this size are ruled out beforehand.
 */
export async function cancelPending(tx: Tx, tenantId: string, webhookId: string): Promise<number> {
  await sql`SELECT set_config('enable_hashjoin', 'off', true),
                   set_config('enable_mergejoin', 'off', true),
                   set_config('enable_sort', 'off', true)`.execute(tx)
  const { rows } = await sql<{ cancelled: bigint }>`
    WITH due AS MATERIALIZED (
      SELECT tenant_id, webhook_id, event_id, recorded_at FROM deliveries
      WHERE tenant_id = ${tenantId} AND webhook_id = ${webhookId} AND due_at IS NOT NULL
      ORDER BY due_at LIMIT ${CANCEL_BATCH}
    ), cancelled AS (
      UPDATE deliveries d SET due_at = NULL, next_attempt_at = NULL, retry_requested = false,
        state = CASE WHEN d.state = 'pending' THEN 'cancelled' ELSE d.state END
      FROM due
      WHERE d.tenant_id = due.tenant_id AND d.webhook_id = due.webhook_id
        AND d.event_id = due.event_id AND d.recorded_at = due.recorded_at
      RETURNING d.event_id
    )
    SELECT count(*) AS cancelled FROM cancelled
  `.execute(tx)
  return Number(rows[0]?.cancelled)
}
