import { type RawBuilder, sql } from 'kysely'
import { sqlCheck } from './sql-check-queries.ts'
import { EVENTS } from './subjects/event-subjects.ts'
import { DELIVERIES, WEBHOOKS } from './subjects/tenant-subjects.ts'

const succeeded = sql`status BETWEEN 200 AND 299`
const failed = sql`(status IS NULL OR status NOT BETWEEN 200 AND 299)`

/** Workers may record in another order than attempts ended: the last 2xx and failures of about the
 * same time may be swapped. */
const RECORDED_WITHIN = sql`interval '1 minute'`

/** The longest attempt, of one minute, and the time above: who ended later began within it. */
const BEGUN_WITHIN = sql`interval '2 minutes'`

const endedAt = sql`(started_at + duration_ms * interval '1 millisecond')`

/** The lane of an ended webhook cancels a long backlog in batches. */
const CANCELLED_WITHIN = sql`interval '10 minutes'`

/** Of webhook `w`. The order has the index serve the interval, whatever the statistics are. */
const attemptsSince = (instant: RawBuilder<unknown>) => sql`
  SELECT * FROM delivery_attempts a
  WHERE a.tenant_id = w.tenant_id AND a.webhook_id = w.webhook_id
    AND a.started_at >= ${instant} - ${BEGUN_WITHIN}
  ORDER BY a.started_at OFFSET 0`

/** Event `e` by webhook `w`. */
const isWanted = sql`((w.event_types = '{}' OR e.type = ANY (w.event_types))
  AND NOT (e.resource_type = 'webhook' AND e.resource_id = w.webhook_id))`

export const DELIVERY_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  // Which event an ended webhook saw last is unknown: there must be no gap up to it. OFFSET 0 keeps
  // the lookup of each delivery by its whole key, which a join gives up where statistics are old.
  sqlCheck(
    'I3',
    'one-delivery-each',
    EVENTS,
    () => sql`
      WITH wanting AS MATERIALIZED (
        SELECT w.*, CASE WHEN w.state <> 'active' THEN (
          SELECT max(latest.sequence)
          FROM (
            (SELECT d.sequence FROM deliveries d
             WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.listed_as IS NULL
             ORDER BY d.sequence DESC LIMIT 1)
            UNION ALL
            (SELECT listed.sequence
             FROM unnest('{pending,delivered,dead_lettered,cancelled}'::text[]) AS list (name)
             CROSS JOIN LATERAL (SELECT d.sequence FROM deliveries d
               WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id
                 AND d.listed_as = list.name
               ORDER BY d.sequence DESC LIMIT 1) listed)) latest) END AS ended_sequence
        FROM webhooks w WHERE w.tenant_id IN (SELECT tenant_id FROM page)
      )
      SELECT w.tenant_id, e.event_id AS subject,
        'has no delivery to ' || w.webhook_id || ', which wants it' AS detail
      FROM wanting w
      JOIN events e ON e.tenant_id = w.tenant_id AND e.sequence > w.registered_sequence
        AND (w.state = 'active' OR e.sequence < w.ended_sequence) AND ${isWanted}
      WHERE NOT EXISTS (SELECT FROM deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id
          AND d.event_id = e.event_id AND d.recorded_at = e.recorded_at OFFSET 0)`,
  ),
  sqlCheck(
    'I3',
    'deliveries-of-events',
    DELIVERIES,
    () => sql`
      SELECT d.tenant_id, d.event_id AS subject,
        'is delivered to ' || d.webhook_id || ', which is not to have it' AS detail
      FROM deliveries d
      JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.webhook_id = d.webhook_id
      LEFT JOIN events e ON e.tenant_id = d.tenant_id AND e.event_id = d.event_id
        AND e.recorded_at = d.recorded_at
      WHERE e.event_id IS NULL OR e.sequence <> d.sequence OR e.type <> d.event_type
         OR e.sequence <= least(w.registered_sequence, w.recovered_sequence)
         OR NOT ${isWanted}`,
  ),
  sqlCheck(
    'I3',
    'none-twice',
    DELIVERIES,
    () => sql`
      SELECT tenant_id, event_id AS subject,
        'has ' || count(*) || ' deliveries to ' || webhook_id AS detail
      FROM deliveries GROUP BY tenant_id, webhook_id, event_id HAVING count(*) > 1`,
  ),
  // The sweep reads lanes: a delivery that is due before its lane is found late, and without one never.
  sqlCheck(
    'I3',
    'due-in-time',
    WEBHOOKS,
    () => sql`
      SELECT w.tenant_id, w.webhook_id AS subject, format(
        'has a delivery due at %s and is due at %s itself', d.due_at, l.retry_at) AS detail
      FROM webhooks w
      LEFT JOIN lanes l ON l.tenant_id = w.tenant_id AND l.webhook_id = w.webhook_id
      LEFT JOIN LATERAL (
        SELECT due_at FROM deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id AND d.due_at IS NOT NULL
        ORDER BY d.due_at LIMIT 1
      ) d ON true
      WHERE l.webhook_id IS NULL AND w.state <> 'deleted'
         OR l.lease IS NULL AND d.due_at IS NOT NULL
            AND (l.retry_at IS NULL OR l.retry_at > d.due_at)`,
  ),
  sqlCheck(
    'I3',
    'found-by-number',
    DELIVERIES,
    () => sql`
      SELECT d.tenant_id, d.event_id AS subject,
        'waits for its first attempt at ' || d.webhook_id || ', whose lane is beyond it' AS detail
      FROM deliveries d
      JOIN lanes l ON l.tenant_id = d.tenant_id AND l.webhook_id = d.webhook_id
      WHERE d.state = 'pending' AND d.listed_as IS NULL AND d.sequence <= l.seen
        AND d.sequence <> ALL (l.in_flight)`,
  ),
  sqlCheck(
    'I3',
    'states-as-attempted',
    DELIVERIES,
    ({ retryDelaysMs }) => sql`
      SELECT d.tenant_id, d.event_id AS subject, format(
        'is %s at %s after %s failures of the schedule and %s successes', d.state, d.webhook_id,
        a.failures, a.successes) AS detail
      FROM deliveries d
      JOIN webhooks w ON w.tenant_id = d.tenant_id AND w.webhook_id = d.webhook_id
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE ${succeeded}) AS successes,
          count(*) FILTER (WHERE ${failed} AND NOT requested) AS failures
        FROM all_delivery_attempts a
        WHERE a.tenant_id = d.tenant_id AND a.webhook_id = d.webhook_id
          AND a.event_id = d.event_id AND a.recorded_at = d.recorded_at
      ) a
      WHERE (d.state = 'delivered') <> (a.successes > 0)
         OR (d.state = 'dead_lettered' AND d.failures <> ${retryDelaysMs.length + 1})
         OR (d.state = 'pending' AND (least(w.disabled_at, w.deleted_at) < now() - ${CANCELLED_WITHIN}
             OR d.failures > ${retryDelaysMs.length}))
         -- A failure that came after the delivery was cancelled is no failure of the schedule.
         OR (d.failures <> a.failures AND NOT (d.state = 'cancelled' AND d.failures < a.failures))
         OR (d.state <> 'pending' AND d.due_at IS NOT NULL AND NOT d.retry_requested)`,
  ),
  sqlCheck(
    'I5',
    'numbered-attempts',
    DELIVERIES,
    () => sql`
      SELECT d.tenant_id, d.event_id AS subject, format(
        'counts %s attempts at %s, and %s are there, numbered %s to %s', d.attempts, d.webhook_id,
        count(a.number), min(a.number), max(a.number)) AS detail
      FROM deliveries d LEFT JOIN delivery_attempts a ON a.tenant_id = d.tenant_id
        AND a.webhook_id = d.webhook_id AND a.event_id = d.event_id
        AND a.recorded_at = d.recorded_at
      GROUP BY d.tenant_id, d.webhook_id, d.event_id, d.attempts
      HAVING count(DISTINCT a.number) <> d.attempts OR coalesce(max(a.number), 0) <> d.attempts`,
  ),
  sqlCheck(
    'I5',
    'attempts-of-deliveries',
    DELIVERIES,
    () => sql`
      SELECT a.tenant_id, a.event_id AS subject,
        'was attempted at ' || a.webhook_id || ' and has no delivery to it' AS detail
      FROM delivery_attempts a LEFT JOIN deliveries d ON d.tenant_id = a.tenant_id
        AND d.webhook_id = a.webhook_id AND d.event_id = a.event_id
        AND d.recorded_at = a.recorded_at
      WHERE d.event_id IS NULL`,
  ),
  sqlCheck(
    'I5',
    'spaced-attempts',
    DELIVERIES,
    ({ retryDelaysMs }) => sql`
      SELECT tenant_id, event_id AS subject,
        'was attempted at ' || webhook_id || ' too early, as number ' || number AS detail
      FROM (
        SELECT tenant_id, webhook_id, event_id, number, started_at,
          lag(started_at) OVER schedule AS before, row_number() OVER schedule AS nth
        FROM delivery_attempts WHERE NOT requested
        WINDOW schedule AS (PARTITION BY tenant_id, webhook_id, event_id ORDER BY number)
      ) a
      WHERE started_at < before
        + (${[...retryDelaysMs]}::bigint[])[nth - 1] * interval '1 millisecond'`,
  ),
  sqlCheck(
    'I5',
    'failure-counter',
    WEBHOOKS,
    ({ disableAt, hasSimulation }) => sql`
      SELECT w.tenant_id, w.webhook_id AS subject, format(
        'counts %s failures since the last success and has had %s to %s',
        l.failures, f.least, f.most) AS detail
      FROM webhooks w
      JOIN lanes l ON l.tenant_id = w.tenant_id AND l.webhook_id = w.webhook_id
      LEFT JOIN LATERAL (
        SELECT started_at FROM delivery_attempts a
        WHERE a.tenant_id = w.tenant_id AND a.webhook_id = w.webhook_id AND ${succeeded}
          AND a.started_at > '-infinity'
        ORDER BY a.started_at DESC LIMIT 1
      ) newest ON true
      LEFT JOIN LATERAL (
        SELECT max(${endedAt}) AS last_at FROM (${attemptsSince(sql`newest.started_at`)}) a
        WHERE ${succeeded}
      ) success ON true
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE last_at IS NULL OR ${endedAt} > last_at - ${RECORDED_WITHIN})
            AS most,
          count(*) FILTER (WHERE last_at IS NULL OR ${endedAt} > last_at + ${RECORDED_WITHIN})
            AS least
        FROM (${attemptsSince(sql`coalesce(last_at, '-infinity')`)}) a
        WHERE ${failed}
      ) f
      WHERE l.failures > ${disableAt}::int
         OR (w.state = 'disabled' AND w.disabled_at IS NULL)
         -- A simulation that succeeds sets the counter back and leaves no other trace.
         OR (NOT ${hasSimulation}::boolean
             AND l.failures < least(${disableAt}::bigint, f.least))
         -- Where the log's beginning was dropped with its attempts, they cannot be counted.
         OR (l.failures > f.most AND NOT EXISTS (
           SELECT FROM tenant_counters c WHERE c.tenant_id = w.tenant_id AND c.last_sequence > 0
             AND NOT EXISTS (SELECT FROM events e WHERE e.tenant_id = w.tenant_id AND e.sequence = 1)))`,
  ),
  sqlCheck(
    'I5',
    'none-after-the-end',
    DELIVERIES,
    ({ clockSkewMs }) => sql`
      SELECT a.tenant_id, a.event_id AS subject,
        'was attempted at ' || a.webhook_id || ' after that had ended' AS detail
      FROM delivery_attempts a
      JOIN webhooks w ON w.tenant_id = a.tenant_id AND w.webhook_id = a.webhook_id
      WHERE a.started_at > least(w.disabled_at, w.deleted_at)
        + ${clockSkewMs}::bigint * interval '1 millisecond'`,
  ),
]
