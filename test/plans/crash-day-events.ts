/**
 * Three events a facility over the last twenty days, numbered by tenant; 300 webhooks a tenant,
 * half of them with the same two deliveries pending and a few delivered, and one with a long backlog.
 */
export const EVENT_TABLES: readonly string[] = [
  `CREATE TEMP TABLE emitted AS
   SELECT c.tenant_id, c.n, c.facility_id, c.borrower_id, k,
     CASE WHEN k = 1 THEN 'facility.decisioned' WHEN k = 2 THEN 'draw.completed'
          WHEN c.n % 1000 = 5 THEN 'facility.terms_changed'
          WHEN c.n % 5 = 0 THEN 'margin_warning.escalated'
          ELSE 'facility.floor_updated' END AS type,
     row_number() OVER (PARTITION BY c.tenant_id ORDER BY k, c.n) AS sequence,
     'evt_' || lpad(((k - 1) * 100000 + c.n)::text, 26, '0') AS event_id,
     date_trunc('milliseconds', now())
       - (300001 - ((k - 1) * 100000 + c.n)) * interval '5.6 seconds' AS recorded_at
   FROM crowd c, generate_series(1, 3) AS k`,
  `INSERT INTO events (tenant_id, event_id, sequence, type, resource_type, resource_id,
                       resource_version, occurred_at, recorded_at, facility_id, borrower_id, body,
                       previous_hash, hash)
   SELECT tenant_id, event_id, sequence, type, 'facility', facility_id, k, recorded_at, recorded_at,
     facility_id, borrower_id,
     jsonb_build_object('id', event_id, 'type', type, 'data', CASE type
       WHEN 'facility.terms_changed' THEN (
         SELECT jsonb_build_object('effective_at', f.next_terms_at) FROM facilities f
         WHERE f.tenant_id = emitted.tenant_id AND f.facility_id = emitted.facility_id)
       ELSE '{}' END),
     sha256(int8send(sequence - 1)), sha256(int8send(sequence))
   FROM emitted`,
  // Of a table much smaller the plan would be another.
  `INSERT INTO resource_versions (tenant_id, resource_type, resource_id, version)
   SELECT tenant_id, type, id, 3
   FROM crowd, LATERAL (VALUES ('facility', facility_id), ('borrower', borrower_id)) AS named (type, id)`,
  `UPDATE tenant_counters c SET last_sequence = t.last FROM (
     SELECT tenant_id, max(sequence) AS last FROM emitted GROUP BY tenant_id
   ) t WHERE t.tenant_id = c.tenant_id`,
  `INSERT INTO webhooks (tenant_id, webhook_id, url, event_types, state, registered_sequence,
                         created_at, deleted_at)
   SELECT tenant_id, 'whk_' || right(tenant_id, 20) || lpad(w::text, 6, '0'), 'https://example.com/',
     CASE WHEN w % 2 = 0 THEN '{facility.floor_updated}'::text[] ELSE '{}' END,
     CASE WHEN w <= 20 THEN 'active' ELSE 'deleted' END, 0, created_at,
     CASE WHEN w > 20 THEN now() - w * interval '1 hour' END
   FROM tenants, generate_series(1, 300) AS w`,
  // The first webhook of a tenant waits for first attempts, the others for retries. Of ten webhooks one has
  // failed; of a hundred one has retries that are due.
  `INSERT INTO lanes (tenant_id, webhook_id, failures, seen, retry_at)
   SELECT tenant_id, webhook_id, CASE WHEN webhook_id LIKE '%3' THEN 30 ELSE 0 END,
     CASE WHEN webhook_id = (SELECT min(webhook_id) FROM webhooks) THEN 99000
       WHEN webhook_id LIKE '%000001' THEN c.last_sequence - 100 ELSE c.last_sequence END,
     now() + interval '5 minutes' * CASE WHEN webhook_id LIKE '%01' THEN -1 ELSE 1 END
   FROM webhooks JOIN tenant_counters c USING (tenant_id)`,
  `INSERT INTO webhook_recoveries (tenant_id, webhook_id, since, phase, first_sequence, after_sequence,
                                   until_sequence, requested_at)
   SELECT tenant_id, webhook_id, now() - interval '1 hour', 'pending', 0, 0, 0, now() FROM webhooks`,
  `CREATE TEMP TABLE newest AS
   SELECT t.*, c.last_sequence + 1 - t.sequence AS back FROM emitted t JOIN tenant_counters c USING (tenant_id)
   WHERE t.sequence > c.last_sequence - 1000`,
  'ANALYZE newest, webhooks, webhook_recoveries',
  // To half of the webhooks the newest four; to the first of a tenant 1,000, and to one all there are.
  `CREATE TEMP TABLE sent AS
   SELECT w.tenant_id, w.webhook_id, e.event_id, e.recorded_at, e.sequence, e.type,
     CASE WHEN back <= 2 THEN 'pending' ELSE 'delivered' END AS state
   FROM webhooks w JOIN newest e ON e.tenant_id = w.tenant_id AND e.back <= 4
   WHERE right(w.webhook_id, 6)::int <= 150
   UNION ALL
   SELECT w.tenant_id, w.webhook_id, e.event_id, e.recorded_at, e.sequence, e.type,
     CASE WHEN back <= 100 OR w.webhook_id = (SELECT min(webhook_id) FROM webhooks)
       THEN 'pending' ELSE 'delivered' END
   FROM webhooks w JOIN newest e ON e.tenant_id = w.tenant_id AND e.back > 4
   WHERE w.webhook_id LIKE '%000001'
   UNION ALL
   SELECT e.tenant_id, (SELECT min(webhook_id) FROM webhooks), e.event_id, e.recorded_at, e.sequence,
     e.type, 'pending'
   FROM emitted e WHERE e.tenant_id = (SELECT min(tenant_id) FROM tenants)
      AND e.sequence BETWEEN 99001 AND 149000`,
  `INSERT INTO deliveries (tenant_id, webhook_id, event_id, recorded_at, sequence, event_type, state,
                           attempts, failures, listed_as, next_attempt_at, due_at)
   SELECT tenant_id, webhook_id, event_id, recorded_at, sequence, type, state,
     CASE WHEN state = 'pending' AND next_at IS NULL THEN 0 ELSE 1 END,
     CASE WHEN next_at IS NULL THEN 0 ELSE 1 END,
     CASE WHEN next_at IS NOT NULL THEN 'pending' END, next_at, next_at
   FROM (SELECT *, CASE WHEN state = 'pending' AND webhook_id NOT LIKE '%000001'
     THEN now() + interval '1 minute' * (sequence % 2)
       + interval '5 minutes' * CASE WHEN webhook_id LIKE '%01' THEN -1 ELSE 1 END END AS next_at
     FROM sent) AS sent`,
  `INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number, started_at,
                                  status, duration_ms, response_excerpt, requested)
   SELECT tenant_id, webhook_id, event_id, recorded_at, 1, recorded_at,
     CASE WHEN state = 'delivered' THEN 200 ELSE 500 END, 10, '', false FROM sent`,
  `INSERT INTO delivery_attempts (tenant_id, webhook_id, event_id, recorded_at, number, started_at,
                                  status, duration_ms, response_excerpt, requested)
   SELECT tenant_id, webhook_id, event_id, recorded_at, number,
     recorded_at + number * interval '1 second', 500, 10, '', true
   FROM (SELECT * FROM sent WHERE webhook_id LIKE '%000002' ORDER BY tenant_id, sequence DESC LIMIT 1)
     AS retried, generate_series(2, 30000) AS number`,
  `UPDATE deliveries d SET attempts = 30000 FROM (
     SELECT DISTINCT tenant_id, webhook_id, event_id, recorded_at FROM delivery_attempts WHERE number = 30000
   ) a WHERE (d.tenant_id, d.webhook_id, d.event_id, d.recorded_at)
     = (a.tenant_id, a.webhook_id, a.event_id, a.recorded_at)`,
  'DROP TABLE sent, newest, emitted',
]
