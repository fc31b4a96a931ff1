import { sql } from 'kysely'
import { sqlCheck } from './sql-check-queries.ts'
import { EVENTS, RESOURCES } from './subjects/event-subjects.ts'
import { RECORDS } from './subjects/facility-subjects.ts'

/** How many events of each type a resource must have, by its own state. */
const expected = sql`
  SELECT tenant_id, 'borrower' AS resource_type, borrower_id AS resource_id,
         'borrower.eligible' AS type, eligible::int AS least, eligible::int AS most
  FROM borrowers
  UNION ALL
  SELECT f.tenant_id, 'facility', f.facility_id, x.type, x.least, x.most
  FROM facilities f CROSS JOIN LATERAL (VALUES
    ('facility.decisioned', (f.decisioned_at IS NOT NULL)::int, (f.decisioned_at IS NOT NULL)::int),
    ('facility.closed', (f.state = 'CLOSED')::int, (f.state = 'CLOSED')::int),
    -- A push that was refused has a number and no event.
    ('facility.floor_updated', (f.custodian_floor_cents > 0)::int, f.floor_sequence::int),
    ('margin_notice.approaching', f.notices, f.notices),
    ('facility.terms_changed', f.times_amended, f.times_amended),
    ('facility.corrected', f.times_corrected, f.times_corrected),
    ('facility.held', f.times_held, f.times_held),
    ('facility.released', f.times_held - (f.held_since IS NOT NULL)::int,
     f.times_held - (f.held_since IS NOT NULL)::int)
  ) AS x (type, least, most)
  UNION ALL
  SELECT d.tenant_id, 'draw', d.draw_id, x.type, x.times, x.times
  FROM draws d CROSS JOIN LATERAL (VALUES
    ('draw.completed', (d.status IN ('COMPLETED', 'RETURNED'))::int),
    ('draw.failed', (d.status = 'FAILED')::int), ('draw.returned', (d.status = 'RETURNED')::int)
  ) AS x (type, times)
  UNION ALL
  SELECT r.tenant_id, 'repayment', r.repayment_id, x.type, x.least, x.most
  FROM repayments r CROSS JOIN LATERAL (VALUES
    ('repayment.applied', (r.status IN ('APPLIED', 'REVERSED'))::int,
     (r.status IN ('APPLIED', 'REVERSED'))::int),
    ('repayment.reversed', (r.status = 'REVERSED')::int, (r.status = 'REVERSED')::int),
    -- One that expired may be reported all the same, and so may one of which nothing was found: each
    -- report, counted by "inquiry", comes to an end of its own.
    ('repayment.failed', (r.status = 'FAILED')::int,
     CASE r.status WHEN 'PENDING' THEN 0 WHEN 'FAILED' THEN r.inquiry + 1 ELSE r.inquiry END)
  ) AS x (type, least, most)
  UNION ALL
  SELECT w.tenant_id, 'margin_warning', w.facility_id || '/' || w.number, x.type, x.times, x.times
  FROM margin_warnings w CROSS JOIN LATERAL (VALUES
    ('margin_warning.raised', (SELECT count(*)::int FROM margin_decisions d
      WHERE d.tenant_id = w.tenant_id AND d.facility_id = w.facility_id
        AND d.warning_number = w.number AND d.kind IN ('raise', 'worsen'))),
    ('margin_warning.cured', (w.status = 'CURED')::int),
    ('margin_warning.escalated', (w.status = 'ESCALATED')::int)
  ) AS x (type, times)
  UNION ALL
  SELECT c.tenant_id, 'margin_call', c.facility_id || '/' || c.number, x.type, x.times, x.times
  FROM margin_calls c CROSS JOIN LATERAL (VALUES
    ('margin_call.started', (c.started_at IS NOT NULL)::int),
    ('margin_call.completed', (c.status = 'COMPLETED')::int)
  ) AS x (type, times)
  UNION ALL
  -- Webhooks disabled by an earlier release were not reported; dead letters have no limit.
  SELECT w.tenant_id, 'webhook', w.webhook_id, x.type, 0, x.most
  FROM webhooks w CROSS JOIN LATERAL (VALUES
    ('webhook.failing', 2147483647), ('webhook.disabled', (w.disabled_at IS NOT NULL)::int)
  ) AS x (type, most)`

export const EVENT_CHECKS = [
  // @plan reads everything: a page is read whole, and nothing of it is returned where all is well.
  // Compares neighbours: no gap between the first and the last means that none is missing. OFFSET 0
  // keeps the lookups by number, where a hash would be made of the whole log.
  sqlCheck(
    'I2',
    'gapless-sequence',
    EVENTS,
    () => sql`
      SELECT e.tenant_id, 'event log' AS subject, CASE
        WHEN n.same > 1 THEN format('holds %s events of number %s', n.same, e.sequence)
        WHEN n.is_cut THEN format('holds number %s and not %s', e.sequence, e.sequence - 1)
        ELSE format('ends at number %s, and %s were given', e.sequence, c.last_sequence)
        END AS detail
      FROM events e JOIN tenant_counters c USING (tenant_id)
      CROSS JOIN LATERAL (
        SELECT
          (SELECT count(*) FROM all_events o
           WHERE o.tenant_id = e.tenant_id AND o.sequence = e.sequence) AS same,
          NOT EXISTS (SELECT FROM all_events o
            WHERE o.tenant_id = e.tenant_id AND o.sequence = e.sequence - 1 OFFSET 0)
          AND EXISTS (SELECT FROM all_events o
            WHERE o.tenant_id = e.tenant_id AND o.sequence < e.sequence OFFSET 0) AS is_cut,
          e.sequence <> c.last_sequence AND NOT EXISTS (SELECT FROM all_events o
            WHERE o.tenant_id = e.tenant_id AND o.sequence = e.sequence + 1 OFFSET 0) AS is_end
      ) n
      WHERE n.same > 1 OR n.is_cut OR n.is_end`,
  ),
  // The first event retained follows the last one dropped, or none.
  sqlCheck(
    'I2',
    'chained-events',
    EVENTS,
    () => sql`
      SELECT e.tenant_id, e.event_id AS subject, CASE
        WHEN e.hash <> event_hash(e.previous_hash, e.sequence, e.body)
          THEN format('has number %s and a text that its hash was not made over', e.sequence)
        WHEN e.previous_hash IS DISTINCT FROM b.hash
          THEN format('has number %s and does not follow number %s', e.sequence, e.sequence - 1)
        ELSE format('has number %s, the last, and not the last hash', e.sequence)
        END AS detail
      FROM events e JOIN tenant_counters c USING (tenant_id)
      CROSS JOIN LATERAL (SELECT coalesce(
        CASE e.sequence WHEN 1 THEN decode(repeat('00', 32), 'hex') END,
        (SELECT o.hash FROM all_events o
         WHERE o.tenant_id = e.tenant_id AND o.sequence = e.sequence - 1 LIMIT 1),
        (SELECT a.hash FROM event_anchors a
         WHERE a.tenant_id = e.tenant_id AND a.sequence = e.sequence - 1)) AS hash) b
      WHERE e.hash <> event_hash(e.previous_hash, e.sequence, e.body)
         OR e.previous_hash IS DISTINCT FROM b.hash
         OR (e.sequence = c.last_sequence AND e.hash <> c.last_hash)`,
  ),
  sqlCheck(
    'I2',
    'records-as-bound',
    EVENTS,
    () => sql`
      SELECT tenant_id, event_id AS subject, 'binds other records than its body states' AS detail
      FROM events WHERE body::jsonb ->> 'records' IS DISTINCT FROM
        encode(sha256(convert_to(array_to_string(records, E'\\n'), 'UTF8')), 'hex')
      UNION ALL
      SELECT e.tenant_id, e.facility_id,
        format('has no %s %s as event %s bound it', b.kind, b.id, e.sequence)
      FROM events e CROSS JOIN LATERAL unnest(e.records) AS u (record)
      CROSS JOIN LATERAL (SELECT split_part(u.record, ' ', 1), split_part(u.record, ' ', 2))
        AS b (kind, id)
      WHERE NOT CASE b.kind
        WHEN 'journal' THEN EXISTS (SELECT FROM journal j
          WHERE j.tenant_id = e.tenant_id AND j.facility_id = e.facility_id AND j.entry_id = b.id
            AND record_of(j) = u.record)
        ELSE EXISTS (SELECT FROM margin_decisions d
          LEFT JOIN margin_evaluations v USING (tenant_id, evaluation_id, month)
          WHERE d.tenant_id = e.tenant_id AND d.facility_id = e.facility_id
            AND d.warning_number = split_part(b.id, '/', 1)::integer
            AND d.number = split_part(b.id, '/', 2)::integer
            AND record_of(d, facts_hash(v.facts)) = u.record) END`,
  ),
  // The events that bound a record may have been dropped with their month; a day covers clocks.
  sqlCheck(
    'I2',
    'each-record-bound',
    RECORDS,
    () => sql`
      SELECT r.tenant_id, r.facility_id AS subject, format('has %s %s, which no event binds as it is',
        split_part(r.record, ' ', 1), split_part(r.record, ' ', 2)) AS detail
      FROM recorded r LEFT JOIN event_anchors a USING (tenant_id)
      WHERE NOT EXISTS (SELECT FROM bound b WHERE b.tenant_id = r.tenant_id
          AND b.facility_id = r.facility_id AND b.record = r.record)
        AND (a.sequence IS NULL OR r.written_at > interval '1 day' + (
          SELECT e.recorded_at FROM events e WHERE e.tenant_id = r.tenant_id
            AND e.sequence > a.sequence ORDER BY e.sequence LIMIT 1))`,
  ),
  sqlCheck(
    'I2',
    'events-match-their-rows',
    EVENTS,
    () => sql`
      SELECT tenant_id, event_id AS subject, 'carries a text that is not its own' AS detail
      FROM (SELECT *, body::jsonb AS content FROM events) e
      WHERE content ->> 'id' IS DISTINCT FROM event_id OR content ->> 'type' IS DISTINCT FROM type
         OR content ->> 'sequence' IS DISTINCT FROM sequence::text
         OR content ->> 'resource_version' IS DISTINCT FROM resource_version::text
         OR content #>> '{resource,type}' IS DISTINCT FROM resource_type
         OR content #>> '{resource,id}' IS DISTINCT FROM resource_id`,
  ),
  sqlCheck(
    'I2',
    'gapless-versions',
    RESOURCES,
    () => sql`
      SELECT e.tenant_id, e.resource_type || ' ' || e.resource_id AS subject, format(
        'has %s events of versions %s to %s, and is at %s', e.events, e.first, e.last, v.version
      ) AS detail
      FROM (
        SELECT tenant_id, resource_type, resource_id, count(*) AS events,
          count(DISTINCT resource_version) AS versions,
          min(resource_version) AS first, max(resource_version) AS last
        FROM events GROUP BY tenant_id, resource_type, resource_id
      ) e LEFT JOIN resource_versions v USING (tenant_id, resource_type, resource_id)
      WHERE e.last IS DISTINCT FROM v.version OR e.versions <> e.events
         OR e.last - e.first + 1 <> e.events`,
  ),
  // The count outlives the events, so this holds after retention.
  sqlCheck(
    'I2',
    'each-transition-reported',
    RESOURCES,
    () => sql`
      SELECT x.tenant_id, x.resource_type || ' ' || x.resource_id AS subject, format(
        'has had %s events; its state calls for %s to %s', coalesce(max(v.version), 0),
        sum(x.least), sum(x.most)) AS detail
      FROM (${expected}) x LEFT JOIN resource_versions v USING (tenant_id, resource_type, resource_id)
      GROUP BY x.tenant_id, x.resource_type, x.resource_id
      HAVING coalesce(max(v.version), 0) NOT BETWEEN sum(x.least) AND sum(x.most)`,
  ),
  sqlCheck(
    'I2',
    'each-transition-reported-once',
    RESOURCES,
    () => sql`
      WITH counted AS (
        SELECT tenant_id, resource_type, resource_id, type, count(*) AS times,
          sum(count(*)) OVER (PARTITION BY tenant_id, resource_type, resource_id) AS kept
        FROM events GROUP BY tenant_id, resource_type, resource_id, type
      ), kept AS (
        SELECT DISTINCT tenant_id, resource_type, resource_id, kept FROM counted
      )
      SELECT x.tenant_id, x.resource_type || ' ' || x.resource_id AS subject, format(
        '%s was reported %s times; its state calls for %s to %s', x.type, coalesce(counted.times, 0),
        x.least, x.most) AS detail
      FROM (${expected}) x
      LEFT JOIN counted USING (tenant_id, resource_type, resource_id, type)
      LEFT JOIN kept ON kept.tenant_id = x.tenant_id AND kept.resource_type = x.resource_type
        AND kept.resource_id = x.resource_id
      LEFT JOIN resource_versions v ON v.tenant_id = x.tenant_id
        AND v.resource_type = x.resource_type AND v.resource_id = x.resource_id
      WHERE coalesce(counted.times, 0) NOT BETWEEN x.least AND x.most
        AND coalesce(v.version, 0) = coalesce(kept.kept, 0)`,
  ),
  sqlCheck(
    'I2',
    'events-of-something',
    RESOURCES,
    () => sql`
      SELECT v.tenant_id, v.resource_type || ' ' || v.resource_id AS subject,
        'has events and does not exist' AS detail
      FROM resource_versions v
      LEFT JOIN (${expected}) x USING (tenant_id, resource_type, resource_id)
      -- A webhook is purged, and the count of its events is not; a key is never deleted.
      WHERE x.tenant_id IS NULL AND v.resource_type NOT IN ('webhook', 'api_key')`,
  ),
]
