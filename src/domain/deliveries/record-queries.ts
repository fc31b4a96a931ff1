import { sql } from 'kysely'
import type { DeliveryState } from '../../db/schema/events.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

// The caller of each has locked the lane.

type DeliveryKey = { tenantId: string; webhookId: string; eventId: string; recordedAt: Date }

/** An attempt, and its delivery after it. */
export type AttemptRecord = {
  event_id: string
  recorded_at: Date
  number: number
  started_at: Date
  status: number | null
  error: string | null
  duration_ms: number
  response_excerpt: string
  requested: boolean
  state: DeliveryState
  listed_as: DeliveryState | null
  failures: number
  next_attempt_at: Date | null
}

/** `attempts`: AttemptRecord[] as JSON, each of another delivery. */
type Attempts = { tenantId: string; webhookId: string; attempts: string }

/** `eventIds`, `first` and `last` are those of the attempts. Without them a planner without statistics
 * would read all deliveries of the webhook. */
export const updateDeliveries = builtOnce(
  (_tx, of: Attempts & { eventIds: readonly string[]; first: Date; last: Date }) => sql<never>`
    UPDATE deliveries d SET state = made.state, listed_as = made.listed_as, attempts = made.number,
      failures = made.failures, next_attempt_at = made.next_attempt_at,
      due_at = made.next_attempt_at, retry_requested = false
    FROM json_to_recordset(${of.attempts}::json) AS made (event_id text, recorded_at timestamptz,
      number integer, state text, listed_as text, failures integer, next_attempt_at timestamptz)
    WHERE d.tenant_id = ${of.tenantId} AND d.webhook_id = ${of.webhookId}
      AND d.event_id = ANY (${of.eventIds}::text[])
      AND d.recorded_at BETWEEN ${of.first} AND ${of.last}
      AND d.event_id = made.event_id AND d.recorded_at = made.recorded_at`,
)

/** From the lane, so that a distributed database has it run where the tenant is. */
export const insertAttempts = builtOnce(
  (_tx, of: Attempts) => sql<never>`
    INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
      started_at, status, error, duration_ms, response_excerpt, requested)
    SELECT l.tenant_id, l.webhook_id, made.*
    FROM lanes l CROSS JOIN json_to_recordset(${of.attempts}::json) AS made (event_id text,
      recorded_at timestamptz, number integer, started_at timestamptz, status smallint, error text,
      duration_ms integer, response_excerpt text, requested boolean)
    WHERE l.tenant_id = ${of.tenantId} AND l.webhook_id = ${of.webhookId}`,
)

/** Inserts the notices of raises that a webhook has answered with 2xx. The first answer for each raise is its
 * notice. `answered` has the answers as JSON, with their times. By the tenant's clock an answer is never before
 * the raise. */
export const insertWebhookNotices = builtOnce(
  (_tx, of: { tenantId: string; answered: string; eventIds: readonly string[] }) => sql<never>`
    INSERT INTO margin_notices (tenant_id, event_id, number, channel, at, recorded_at)
    SELECT r.tenant_id, r.event_id, 0, 'webhook', told.at, told.at
    FROM margin_raises r
    JOIN tenants t ON t.tenant_id = ${of.tenantId}
    JOIN json_to_recordset(${of.answered}::json) AS made (event_id text, ended_at timestamptz)
      ON made.event_id = r.event_id
    CROSS JOIN LATERAL (
      SELECT greatest(r.raised_at, made.ended_at + t.clock_offset_ms * interval '1 millisecond') AS at
    ) told
    WHERE r.tenant_id = ${of.tenantId} AND r.event_id = ANY (${of.eventIds}::text[])
    -- Two webhooks may answer about the same raises at once.
    ORDER BY r.event_id
    ON CONFLICT DO NOTHING`,
)

/** Its event is no longer retained. */
export const cancelLost = builtOnce(
  (_tx, of: DeliveryKey) => sql<never>`
    UPDATE deliveries SET due_at = NULL, next_attempt_at = NULL, retry_requested = false,
      state = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END,
      listed_as = CASE WHEN state = 'pending' THEN 'cancelled' ELSE state END
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
      AND event_id = ${of.eventId} AND recorded_at = ${of.recordedAt}`,
)
