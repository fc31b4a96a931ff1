import { sql } from 'kysely'
import { MOST_SKEW_MS } from '../../../core/ids.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'

/** In the order of their numbers. */
export type NewEvent = {
  /** Counts from 1. */
  place: number
  id: string
  /** The date of the id. */
  made_at: Date
  type: string
  resource_type: string
  resource_id: string
  facility_id: string | null
  /** Null: that of the facility. */
  borrower_id: string | null
  occurred_at: Date
  /** The text between id and version, between version and number, and after the number. */
  head: string
  middle: string
  tail: string
}

/** `events`: NewEvent[] as JSON. A list of each member would have the statements planned at each call. */
type NewEvents = { tenantId: string; events: string }

/** Names what insertEvents has written and countEvents has not counted yet. `since`: the date of the first id. */
type Written = { tenantId: string; since: Date }

const SKEW = sql.raw(`interval '${MOST_SKEW_MS} milliseconds'`)

const given = (events: string) => sql`
  json_to_recordset(${events}::json) AS given (place bigint, id text, made_at timestamptz, type text,
    resource_type text, resource_id text, facility_id text, borrower_id text,
    occurred_at timestamptz, head text, middle text, tail text)`

/** Until COMMIT. A statement of its own, so that those after it see every webhook that was registered
 * before: registering, disabling and deleting one lock the counter too. */
export const lockCounter = builtOnce(
  (_tx, { tenantId }: { tenantId: string }) => sql<{ last_sequence: bigint }>`
    SELECT last_sequence FROM tenant_counters WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE`,
)

/** From the counter, so that a distributed database has it run where the tenant is. */
export const raiseVersions = builtOnce(
  (_tx, of: NewEvents) => sql<never>`
    INSERT INTO resource_versions AS v (tenant_id, resource_type, resource_id, version)
    SELECT c.tenant_id, raised.resource_type, raised.resource_id, raised.count
    FROM tenant_counters c CROSS JOIN (
      SELECT resource_type, resource_id, count(*) FROM ${given(of.events)}
      GROUP BY resource_type, resource_id
    ) raised
    WHERE c.tenant_id = ${of.tenantId}
    ON CONFLICT (tenant_id, resource_type, resource_id) DO UPDATE
    SET version = v.version + excluded.version`,
)

/** The only place where an event gets its text: around its id, its version and its number, with the hash of
 * the records that it binds. It is chained to the event before it, and recorded no earlier: an id whose
 * process has a clock that is behind by less than MOST_SKEW_MS gets the date of that event. */
export const insertEvents = builtOnce(
  (_tx, of: NewEvents & { trace: string | null }) => sql<never>`
    INSERT INTO events (tenant_id, event_id, sequence, type, resource_type, resource_id,
      resource_version, facility_id, borrower_id, occurred_at, recorded_at, body, previous_hash, hash,
      records, traceparent)
    SELECT hashed.tenant_id, event_id, sequence, type, resource_type, resource_id, resource_version,
      facility_id, borrower_id, occurred_at, recorded_at, body,
      coalesce(lag(hash) OVER (PARTITION BY tenant_id ORDER BY sequence), last_hash), hash,
      records, ${of.trace}::text
    FROM (
      SELECT *, event_chain(last_hash, sequence, body)
        OVER (PARTITION BY tenant_id ORDER BY sequence) AS hash
      FROM (
        SELECT *, '{"id":"' || event_id || head || resource_version || middle || sequence || tail
          || CASE WHEN records IS NULL THEN '}'
            ELSE ',"records":"' || encode(sha256(convert_to(
              array_to_string(records, E'\\n'), 'UTF8')), 'hex') || '"}' END AS body
        FROM (
          SELECT c.tenant_id, c.last_hash, c.last_sequence + new.place AS sequence,
            CASE WHEN dated.at = new.made_at THEN new.id ELSE dated_id(new.id, dated.at) END
              AS event_id,
            dated.at AS recorded_at, new.type, new.resource_type, new.resource_id,
            (SELECT v.version FROM resource_versions v WHERE v.tenant_id = ${of.tenantId}
              AND v.resource_type = new.resource_type AND v.resource_id = new.resource_id)
              - new.later AS resource_version,
            new.facility_id,
            coalesce(new.borrower_id, (SELECT f.borrower_id FROM facilities f
              WHERE f.tenant_id = ${of.tenantId} AND f.facility_id = new.facility_id)) AS borrower_id,
            new.occurred_at,
            new.head, new.middle, new.tail, unbound.records
          FROM tenant_counters c CROSS JOIN (
            SELECT *, count(*) OVER (PARTITION BY resource_type, resource_id)
                - row_number() OVER (PARTITION BY resource_type, resource_id ORDER BY place) AS later,
              row_number() OVER (PARTITION BY facility_id ORDER BY place) = 1 AS binds
            FROM ${given(of.events)}
          ) new
          CROSS JOIN LATERAL (
            SELECT greatest(new.made_at, CASE
              WHEN c.last_recorded_at <= new.made_at + ${SKEW} THEN c.last_recorded_at END) AS at
          ) dated
          LEFT JOIN LATERAL (
            SELECT array_agg(r.record ORDER BY r.record) AS records FROM unbound_records r
            WHERE r.tenant_id = ${of.tenantId} AND r.facility_id = new.facility_id AND new.binds
          ) unbound ON true
          WHERE c.tenant_id = ${of.tenantId}
        ) numbered
      ) texts
    ) hashed
    WHERE hashed.tenant_id = ${of.tenantId}`,
)

/** Finds what insertEvents has written by its number. Compared with the row of a join, it would be looked for among
 * all events of the tenant. */
const isWritten = ({ tenantId, since }: Written) => sql`
  e.tenant_id = ${tenantId} AND e.recorded_at >= ${since}::timestamptz
    AND e.sequence > (SELECT last_sequence FROM tenant_counters WHERE tenant_id = ${tenantId})`

/** Each waits for its first attempt: the lane finds it by its number. */
export const insertDeliveries = builtOnce(
  (_tx, of: Written) => sql<{ webhook_id: string }>`
    INSERT INTO deliveries AS made (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type,
      state)
    SELECT e.tenant_id, w.webhook_id, e.event_id, e.recorded_at, e.sequence, e.type, 'pending'
    FROM events e
    JOIN webhooks w ON w.tenant_id = ${of.tenantId} AND w.state = 'active'
      AND (w.event_types = '{}' OR e.type = ANY (w.event_types))
      -- A webhook is not notified of itself.
      AND NOT (e.resource_type = 'webhook' AND e.resource_id = w.webhook_id)
    WHERE ${isWritten(of)}
    RETURNING made.webhook_id`,
)

/** The proof of a raise outlives the log, so its event's id and date are stored with the warning. */
export const insertRaises = builtOnce(
  (_tx, of: Written) => sql<never>`
    INSERT INTO margin_raises (tenant_id, event_id, facility_id, warning_number, raised_at)
    SELECT e.tenant_id, e.event_id, e.facility_id, split_part(e.resource_id, '/', 2)::integer,
      e.occurred_at
    FROM events e
    WHERE ${isWritten(of)} AND e.type = 'margin_warning.raised'`,
)

/** Those that insertEvents has bound, and none that came since. */
export const deleteBoundRecords = builtOnce(
  (_tx, of: Written) => sql<never>`
    DELETE FROM unbound_records
    WHERE tenant_id = ${of.tenantId}
      AND facility_id = ANY (ARRAY(SELECT e.facility_id FROM events e WHERE ${isWritten(of)}))
      AND record = ANY (ARRAY(SELECT unnest(e.records) FROM events e WHERE ${isWritten(of)}))`,
)

export const countEvents = builtOnce(
  (_tx, of: Written & { count: number }) => sql<never>`
    UPDATE tenant_counters c SET last_sequence = e.sequence, last_hash = e.hash,
      last_recorded_at = e.recorded_at
    FROM events e
    WHERE c.tenant_id = ${of.tenantId} AND e.tenant_id = ${of.tenantId}
      AND e.sequence = c.last_sequence + ${of.count}::int
      AND e.recorded_at >= ${of.since}::timestamptz`,
)
