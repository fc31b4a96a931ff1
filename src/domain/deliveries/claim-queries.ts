import { sql } from 'kysely'
import type { DeliveryState } from '../../db/schema/events.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'

export type ClaimedRow = {
  event_id: string
  event_type: string
  recorded_at: Date
  sequence: bigint
  attempts: number
  failures: number
  state: DeliveryState
  listed_as: DeliveryState | null
  next_attempt_at: Date | null
  retry_requested: boolean
  /** Null: the event is no longer retained. */
  body: string | null
  traceparent: string | null
}

/** The caller has locked the lane. */
type Claiming = {
  tenantId: string
  webhookId: string
  lease: string
  leasedUntil: Date
  /** The numbers of what the holder has claimed before and not recorded. */
  inFlight: readonly bigint[]
  room: number
  failures: number
  now: Date
}

const COLUMNS = sql.raw(`event_id, event_type, recorded_at, sequence, attempts, failures, state,
  listed_as, next_attempt_at, retry_requested`)

/** Leases the lane, and what is due on it in `room`: retries by the instant at which they are due, then
 * first attempts by number. Where nothing is in flight then, the lane is free. `seen` moves over what is
 * claimed, and if nothing is left to the last event that this statement sees. */
export const claimDue = builtOnce(
  (_tx, of: Claiming) => sql<ClaimedRow>`
    WITH retried AS MATERIALIZED (
      SELECT ${COLUMNS} FROM deliveries
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND due_at <= ${of.now}
        AND listed_as IS NOT NULL AND sequence <> ALL (${of.inFlight}::bigint[])
      ORDER BY due_at LIMIT ${of.room}::int
    ), first AS MATERIALIZED (
      SELECT ${COLUMNS} FROM deliveries
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND listed_as IS NULL
        AND sequence > (SELECT seen FROM lanes
                        WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId})
        AND state = 'pending'
      ORDER BY sequence LIMIT ${of.room}::int - (SELECT count(*) FROM retried)
    ), due AS MATERIALIZED (
      SELECT * FROM retried UNION ALL SELECT * FROM first
    ), leased AS (
      UPDATE lanes SET
        seen = CASE
          WHEN (SELECT count(*) FROM due) < ${of.room}::int THEN greatest(seen, (
            SELECT last_sequence FROM tenant_counters WHERE tenant_id = ${of.tenantId}))
          ELSE greatest(seen, (SELECT max(sequence) FROM first)) END,
        failures = ${of.failures}::int,
        in_flight = ${of.inFlight}::bigint[] || ARRAY(SELECT sequence FROM due),
        lease = CASE WHEN is_held THEN ${of.lease}::uuid END,
        leased_until = CASE WHEN is_held THEN ${of.leasedUntil}::timestamptz END,
        retry_at = CASE WHEN is_held THEN retry_at ELSE (
          SELECT due_at FROM deliveries
          WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND due_at IS NOT NULL
          ORDER BY due_at LIMIT 1) END
      FROM (SELECT cardinality(${of.inFlight}::bigint[]) > 0 OR EXISTS (SELECT FROM due) AS is_held) held
      WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
    )
    SELECT due.*, e.body, e.traceparent FROM due
    LEFT JOIN LATERAL (
      SELECT body, traceparent FROM events
      WHERE tenant_id = ${of.tenantId} AND event_id = due.event_id
        AND recorded_at = due.recorded_at
      LIMIT 1
    ) e ON true`,
)

/** Holds a lane of which nothing can be attempted now. The caller has locked it. */
export const holdLane = builtOnce(
  (_tx, of: Omit<Claiming, 'room' | 'now'>) => sql<never>`
    UPDATE lanes SET lease = ${of.lease}::uuid, leased_until = ${of.leasedUntil}::timestamptz,
      in_flight = ${of.inFlight}::bigint[], failures = ${of.failures}::int
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}`,
)

/** Makes first attempts due again that were claimed, and that no one makes: their worker has died, or
 * they would begin too late. The caller has locked the lane. */
export const makeDueAgain = builtOnce(
  (
    _tx,
    of: { tenantId: string; webhookId: string; sequences: readonly bigint[]; now: Date },
  ) => sql<never>`
    UPDATE deliveries SET listed_as = 'pending', due_at = ${of.now}, next_attempt_at = recorded_at
    WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId}
      AND state = 'pending'
      -- In the order of their index, which keeps all other deliveries of the webhook unread.
      AND event_id = ANY (ARRAY(
        SELECT event_id FROM deliveries
        WHERE tenant_id = ${of.tenantId} AND webhook_id = ${of.webhookId} AND listed_as IS NULL
          AND sequence = ANY (${of.sequences}::bigint[])
        ORDER BY sequence LIMIT cardinality(${of.sequences}::bigint[])))`,
)
