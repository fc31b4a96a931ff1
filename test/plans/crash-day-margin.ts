import { LOOKS_SEALED } from '../support/stores/sealer.ts'

/** The event of a facility's only raise. */
export const raiseOf = (facilityId: string) => facilityId.replace('fac_', 'evt_')

/**
 * Of five facilities one was sold (four in a hundred of those are being sold now), three are warned,
 * and one is healthy. Numbers end in 0 for the sold, 1 to 3 for the warned.
 */
export const MARGIN_TABLES: readonly string[] = [
  `INSERT INTO margin_warnings (tenant_id, facility_id, number, tier, status, raised_at, ltv_at_raise,
     cure_deadline, counted_from, escalated_at, cure_amount_cents, cure_collateral_cents)
   SELECT tenant_id, facility_id, 1, CASE WHEN n % 5 = 0 THEN 3 ELSE 1 END,
     CASE WHEN n % 5 = 0 THEN 'ESCALATED' ELSE 'OPEN' END, now() - interval '1 hour', '0.710000',
     now() + interval '2 days', now() - interval '1 hour',
     CASE WHEN n % 5 = 0 THEN now() - interval '30 minutes' END,
     CASE WHEN n % 5 = 0 THEN 1000 END, CASE WHEN n % 5 = 0 THEN 1000 END
   FROM crowd WHERE n % 5 < 4`,
  // A webhook has taken nine of ten.
  `INSERT INTO margin_raises (tenant_id, event_id, facility_id, warning_number, raised_at)
   SELECT tenant_id, replace(facility_id, 'fac_', 'evt_'), facility_id, 1, now() - interval '1 hour'
   FROM crowd WHERE n % 5 < 4`,
  `INSERT INTO margin_notices (tenant_id, event_id, number, channel, at, recorded_at)
   SELECT tenant_id, replace(facility_id, 'fac_', 'evt_'), 0, 'webhook', now() - interval '1 hour',
     now() - interval '1 hour'
   FROM crowd WHERE n % 5 < 4 AND n % 50 <> 1`,
  `INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, started_at, ended_at)
   SELECT tenant_id, facility_id, 'pau_' || n, 'outage', now() - interval '50 minutes',
     now() - interval '40 minutes'
   FROM crowd WHERE n % 5 BETWEEN 1 AND 3`,
  `INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, hold_kind, reason, started_at)
   SELECT tenant_id, facility_id, 'pau_hold', 'hold', 'freeze', '${LOOKS_SEALED}', now() - interval '2 days'
   FROM crowd WHERE n % 1000 = 1`,
  `INSERT INTO margin_evaluations (tenant_id, evaluation_id, facts)
   SELECT DISTINCT ON (tenant_id, n / 250) tenant_id, md5(tenant_id || n / 250)::uuid,
     '{"rounds":[]}'::jsonb FROM crowd`,
  `INSERT INTO margin_decisions (tenant_id, facility_id, warning_number, number, kind, decided_at,
                                 facts, evaluation_id)
   SELECT tenant_id, facility_id, 1, d,
     CASE WHEN d = 1 THEN 'raise' WHEN n % 5 = 0 THEN 'escalate' ELSE 'worsen' END,
     now() - interval '1 hour', jsonb_build_object('facility', n),
     md5(tenant_id || n / 250)::uuid
   FROM crowd, generate_series(1, 2) AS d WHERE n % 5 < 4 ORDER BY n, d`,
  `INSERT INTO margin_calls (tenant_id, facility_id, number, margin_warning_number, status, outcome,
                             created_at, started_at, completed_at)
   SELECT tenant_id, facility_id, 1, 1, CASE WHEN n % 125 = 0 THEN 'SELLING' ELSE 'COMPLETED' END,
     CASE WHEN n % 125 = 0 THEN NULL ELSE 'partial' END, now(), now(),
     CASE WHEN n % 125 = 0 THEN NULL ELSE now() END
   FROM crowd WHERE n % 5 = 0`,
  `INSERT INTO margin_sales (tenant_id, facility_id, call_number, number, asset, ordered_units,
     in_kind, status, filled_units, proceeds_cents, costs_cents, ordered_at, executed_at)
   SELECT tenant_id, facility_id, 1, 1, 'BTC', 10000000, false, 'FILLED', 10000000, 700000, 1000,
     now() - interval '20 minutes', now() - interval '19 minutes'
   FROM crowd WHERE n % 5 = 0
   UNION ALL
   SELECT tenant_id, facility_id, 1, 2, 'BTC', 10000000, false, 'ORDERED', NULL, NULL, NULL,
     now() - interval '20 minutes', NULL
   FROM crowd WHERE n % 125 = 0`,
  `INSERT INTO receipt_keys (key_id, public_key, sealed, created_at, retired_at)
   VALUES ('rck_0', decode(repeat('00', 32), 'hex'), NULL, now() - interval '1 year', now()),
     ('rck_1', decode(repeat('01', 32), 'hex'), 'k1.aa.bb', now(), NULL)`,
  `INSERT INTO margin_receipts (tenant_id, facility_id, call_number, body, sha256, key_id, public_key,
                                signature)
   SELECT tenant_id, facility_id, number, '{}', sha256('{}'), 'rck_1', decode(repeat('01', 32), 'hex'),
     decode(repeat('00', 64), 'hex')
   FROM margin_calls WHERE status = 'COMPLETED'`,
  // Half of the largest tenant waits to be read, and a tenth of everybody else's; sales are due.
  `INSERT INTO work (tenant_id, topic, subject_id, clock, priority, due_at, ready, attempts)
   SELECT tenant_id, 'read-positions', facility_id, 'real', 6,
     now() + (n % 600 - 300) * interval '1 second', n % 600 < 250, 0
   FROM crowd WHERE (tenant = 1 AND n % 2 = 0) OR n % 10 = 0
   UNION ALL
   SELECT tenant_id, 'sell-collateral', facility_id, 'real', 0, now() - interval '1 second', true, 0
   FROM crowd WHERE n % 125 = 0
   UNION ALL
   SELECT tenant_id, 'push-floor', facility_id, 'real', 5, now() + interval '1 minute', false,
     CASE WHEN n % 1000 = 1 THEN 12 ELSE 2 END
   FROM crowd WHERE n % 5 = 1
   UNION ALL
   SELECT tenant_id, 'refresh-floor', facility_id, 'tenant', 1,
     now() + (n % 86400 - 60) * interval '1 second', false, 0
   FROM crowd
   UNION ALL
   SELECT tenant_id, 'evaluate-facility', facility_id, 'tenant', 1, now() + interval '2 days', false, 0
   FROM crowd WHERE n % 5 IN (1, 2, 3)`,
  `UPDATE work SET last_error = 'VendorFailure custodian timeout', failing_since = now() - interval '1 hour'
   WHERE topic = 'push-floor' AND attempts = 12`,
]
