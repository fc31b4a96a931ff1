import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import type { LoneEvent } from './event-body.ts'
import { LOCKED, SETTINGS } from './number-queries.ts'

type LoneNumber = LoneEvent & {
  eventId: string
  recordedAt: Date
  /** The text around version and number. */
  begin: string
  middle: string
  end: string
}

type Told = {
  /** Once the counter is locked, with the webhooks that most likely want the event. */
  onLocked(webhookIds: readonly string[]): void
  /** With those that do. It is not called where the event still waits. */
  onNumbered(webhookIds: readonly string[]): void
}

/** Nothing waits for it but COMMIT. Gives the event its number and writes it with its deliveries, where the
 * counter is free and no other event waits. Both are told before the transaction has committed. */
export function numberOnly(tx: Tx, event: LoneNumber, { onLocked, onNumbered }: Told): void {
  const { tenantId, entryId, type, resourceType, resourceId, ...rest } = event
  const { eventId, recordedAt, begin, middle, end } = rest
  const wanted = { tenantId, type, resourceType, resourceId }
  tx.send(lockFreeFirst(wanted), (rows) => onLocked(rows.flatMap((row) => row.webhook_id ?? [])))
  const values = { ...wanted, entryId, eventId, recordedAt, begin, middle, end }
  tx.send(numberLocked(values), ([row]) => {
    if (row?.webhook_ids) onNumbered(row.webhook_ids)
  })
}

type Wanted = Pick<LoneEvent, 'tenantId' | 'type' | 'resourceType' | 'resourceId'>

/** By webhook `w`; the same as isWanted. */
const isWantedBy = ({ type, resourceType, resourceId }: Wanted): RawBuilder<unknown> => sql`
  (w.event_types = '{}' OR ${type} = ANY (w.event_types))
  AND NOT (${resourceType} = 'webhook' AND ${resourceId} = w.webhook_id)`

/** As lockFreeCountersFirst, for one. The webhooks are those of a moment before the lock. */
const lockFreeFirst = builtOnce(
  // @one server: a distributed database numbers after the commit.
  (_tx, of: Wanted) => sql<{ webhook_id: string | null }>`
    WITH ${SETTINGS}, locked AS MATERIALIZED (
      SELECT c.tenant_id FROM settings CROSS JOIN LATERAL (
        SELECT tenant_id FROM tenant_counters WHERE tenant_id = ${of.tenantId}
        FOR NO KEY UPDATE SKIP LOCKED) c
    ), noted AS MATERIALIZED (
      SELECT set_config('svc.locked_counters', coalesce((SELECT tenant_id FROM locked), ''), true),
             set_config('plan_cache_mode', 'force_generic_plan', true)
    )
    SELECT w.webhook_id FROM noted LEFT JOIN locked ON true
    LEFT JOIN webhooks w ON w.tenant_id = locked.tenant_id AND w.tenant_id = ${of.tenantId}
      AND w.state = 'active' AND ${isWantedBy(of)}`,
)

type Values = Wanted &
  Pick<LoneNumber, 'entryId' | 'eventId' | 'recordedAt' | 'begin' | 'middle' | 'end'>

type NumberedRow = { webhook_ids: string[] | null }

const numberLocked = builtOnce(
  // @one server: a distributed database numbers after the commit.
  (_tx, of: Values) => sql<NumberedRow>`
    WITH counter AS MATERIALIZED (
      SELECT last_sequence + 1 AS sequence, last_hash FROM tenant_counters
      WHERE tenant_id = ${of.tenantId} AND tenant_id = ${LOCKED}
        AND (last_recorded_at IS NULL OR last_recorded_at <= ${of.recordedAt}::timestamptz)
        AND ARRAY(SELECT entry_id FROM unnumbered_events
          WHERE tenant_id = ${of.tenantId} LIMIT 2) = ARRAY[${of.entryId}::uuid]
    ), taken AS (
      DELETE FROM unnumbered_events
      WHERE tenant_id = ${of.tenantId} AND (SELECT true FROM counter)
      RETURNING *
    ), texts AS (
      SELECT taken.*, counter.sequence, counter.last_hash, ${of.begin}::text
        || taken.resource_version || ${of.middle}::text || counter.sequence || ${of.end}::text
        || CASE WHEN taken.records IS NULL THEN '' ELSE ',"records":"' || encode(sha256(
          convert_to(array_to_string(taken.records, E'\\n'), 'UTF8')), 'hex') || '"' END
        || '}' AS body
      FROM taken CROSS JOIN counter
    ), made AS MATERIALIZED (
      SELECT *, event_hash(last_hash, sequence, body) AS hash FROM texts
    ), event AS (
      INSERT INTO events AS written (tenant_id, traceparent, event_id, sequence, type, resource_type,
                          resource_id, resource_version, occurred_at, recorded_at, body, previous_hash,
                          hash, records, facility_id, borrower_id)
      SELECT ${of.tenantId}, traceparent, ${of.eventId}, sequence, type, resource_type, resource_id,
             resource_version, occurred_at, ${of.recordedAt}::timestamptz, body, last_hash,
             hash, records, facility_id, borrower_id
      FROM made
    ), delivery AS (
      INSERT INTO deliveries AS sent (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
                              state, next_attempt_at, due_at)
      SELECT ${of.tenantId}, w.webhook_id, ${of.eventId}, ${of.recordedAt}::timestamptz, made.sequence,
             made.type, 'pending', ${of.recordedAt}::timestamptz, ${of.recordedAt}::timestamptz
      FROM made JOIN webhooks w ON w.tenant_id = ${of.tenantId} AND w.state = 'active'
        AND ${isWantedBy(of)}
      RETURNING sent.webhook_id
    ), due AS (
      -- A webhook that is due already is left as it is: see settleDue.
      UPDATE webhook_dues w SET due_at = ${of.recordedAt}::timestamptz FROM delivery
      WHERE w.tenant_id = ${of.tenantId} AND w.webhook_id = delivery.webhook_id
        AND (w.due_at IS NULL OR w.due_at > ${of.recordedAt}::timestamptz)
    ), counted AS (
      UPDATE tenant_counters c SET last_sequence = made.sequence, last_hash = made.hash,
        last_recorded_at = ${of.recordedAt}::timestamptz
      FROM made WHERE c.tenant_id = ${of.tenantId}
    )
    SELECT CASE WHEN EXISTS (SELECT FROM made)
      THEN coalesce((SELECT array_agg(webhook_id) FROM delivery), '{}') END AS webhook_ids`,
)
