/** Requests of a few minutes, and two points of each facility. A few tenants are new. */
export const HISTORY_TABLES: readonly string[] = [
  `INSERT INTO request_log (tenant_id, request_id, received_at, method, route, path, status, code,
                            key_id, duration_us, resource_id)
   SELECT tenant_id, 'req_' || lpad(n::text, 26, '0'),
     date_trunc('milliseconds', now()) - (25001 - n) * interval '1 millisecond',
     CASE WHEN n % 500 = 0 THEN 'DELETE' ELSE 'GET' END, '/v1/borrowers/:borrower_id',
     '/v1/borrowers/bor_' || lpad((n % 500)::text, 26, '0'), CASE WHEN n % 10 = 0 THEN 404 ELSE 200 END,
     CASE WHEN n % 10 = 0 THEN 'not_found' END, 'key_1', 2000,
     'bor_' || lpad((n % 500)::text, 26, '0')
   FROM (SELECT tenant_id, row_number() OVER (ORDER BY tenant_id) AS place FROM tenants) t,
     generate_series(1, CASE place WHEN 1 THEN 25000 ELSE 500 END) AS n`,
  `INSERT INTO facility_ltv_hours (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents)
   SELECT tenant_id, facility_id, now() - ago * interval '1 hour', now(), 5000, 10000
   FROM facilities, generate_series(0, 1) AS ago`,
  `INSERT INTO facility_ltv_days (tenant_id, facility_id, at, taken_at, debt_cents, collateral_cents)
   SELECT tenant_id, facility_id, now(), now(), 5000, 10000 FROM facilities`,
  `INSERT INTO ltv_rounds (tenant_id, hour)
   SELECT tenant_id, date_trunc('hour', now()) FROM tenants WHERE tenant_id < 'ten_' || lpad('190', 26, '0')`,
]
