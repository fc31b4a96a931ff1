import { sql } from 'kysely'
import type { DeliveryState } from '../../db/schema/events.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

// The caller of each has locked the lane.

type DeliveryKey = { tenantId: string; webhookId: string; eventId: string; recordedAt: Date }

/** A delivery after an attempt. */
export type DeliveryRecord = DeliveryKey & {
  attempts: number
  failures: number
  state: DeliveryState
  listedAs: DeliveryState | null
  nextAttemptAt: Date | null
}

export type AttemptRecord = DeliveryKey & {
  number: number
  startedAt: Date
  status: number | null
  error: string | null
  durationMs: number
  responseExcerpt: string
  requested: boolean
}

export const updateDelivery = builtOnce(
  (_tx, of: DeliveryRecord) => sql<never>`
    UPDATE deliveries SET state = ${of.state}, listed_as = ${of.listedAs}, attempts = ${of.attempts},
      failures = ${of.failures}, next_attempt_at = ${of.nextAttemptAt}, due_at = ${of.nextAttemptAt},
      retry_requested = false, lease = NULL
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
      AND event_id = ${of.eventId} AND recorded_at = ${of.recordedAt}`,
)

export const insertAttempt = builtOnce(
  (_tx, of: AttemptRecord) => sql<never>`
    INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number,
      started_at, status, error, duration_ms, response_excerpt, requested)
    VALUES (${of.tenantId}, ${of.webhookId}, ${of.eventId}, ${of.recordedAt}, ${of.number},
      ${of.startedAt}, ${of.status}, ${of.error}, ${of.durationMs}, ${of.responseExcerpt},
      ${of.requested})`,
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
