/** Tenants 1 to 200 with what belongs to a tenant; `crowd` numbers all facilities by tenant. The first
 * has half of them, the second 503, and each of the others 251. */
export const TENANT_TABLES: readonly string[] = [
  `CREATE TEMP TABLE crowd AS
   SELECT n, tenant, 'ten_' || lpad(tenant::text, 26, '0') AS tenant_id,
     'bor_' || lpad(n::text, 26, '0') AS borrower_id,
     'fac_' || lpad(n::text, 26, '0') AS facility_id
   FROM generate_series(1, 100000) AS n, LATERAL (
     SELECT CASE WHEN n <= 50000 THEN 1 ELSE 2 + greatest(n - 50253, 0) / 251 END AS tenant)`,
  'ANALYZE crowd',
  `INSERT INTO tenants (tenant_id, name, created_at)
   SELECT 'ten_' || lpad(t::text, 26, '0'), 'Tenant ' || t, now() - interval '1 year'
   FROM generate_series(1, 200) AS t`,
  `INSERT INTO tenant_counters (tenant_id, last_sequence) SELECT tenant_id, 0 FROM tenants`,
  `INSERT INTO api_keys (tenant_id, key_id, public_key, label, scopes, created_at, expires_at)
   SELECT tenant_id, 'key_' || right(tenant_id, 24) || lpad(k::text, 2, '0'),
     decode(lpad(k::text, 64, '0'), 'hex'), 'key', '{facility:read}', created_at,
     CASE k WHEN 1 THEN now() + interval '10 days' END
   FROM tenants, generate_series(1, 5) AS k`,
  `INSERT INTO tenant_list (tenant_id) SELECT tenant_id FROM tenants`,
  `INSERT INTO absent_tenants (tenant_id, since) SELECT tenant_id, now() FROM tenants`,
  `INSERT INTO api_key_owners (key_id, tenant_id) SELECT key_id, tenant_id FROM api_keys`,
  `INSERT INTO signing_secrets (tenant_id, secret_id, sealed, created_at)
   SELECT tenant_id, 'sec_' || right(tenant_id, 26), 'k1.aa.bb.cc', created_at FROM tenants`,
  `INSERT INTO documents (tenant_id, contract_type, contract_version, title, download_url,
                          content_type, published_at)
   SELECT tenant_id, 'master_loan_agreement', '2026-01', 'Agreement', 'https://example.com/a.pdf',
     'application/pdf', created_at FROM tenants`,
  `INSERT INTO residency_policy (country, borrower_type, allowed, rate_ppm, updated_at)
   VALUES ('DE', 'individual', true, 100000, now())`,
  `INSERT INTO idempotency_records (tenant_id, key, fingerprint, status, body, secret_id, recorded_at)
   SELECT tenant_id, md5(n::text)::uuid, decode(repeat('00', 32), 'hex'), 201,
     CASE WHEN n % 500 = 0 THEN 'k1.aa.bb' ELSE '{"id":"' || borrower_id || '"}' END,
     CASE WHEN n % 500 = 0 THEN 'sec_' || right(tenant_id, 26) END,
     now() - n * interval '26 seconds'
   FROM crowd`,
  `INSERT INTO provider_callbacks (tenant_id, provider, callback_id, received_at)
   SELECT tenant_id, 'custodian', 'callback ' || n, now() - n * interval '26 seconds' FROM crowd`,
  `INSERT INTO price_rounds (accepted_at, prices, sources)
   SELECT now() - n * interval '10 seconds',
     '{"BTC":{"price":"7000000000000","at":"2026-01-01T00:00:00.000Z"}}', '{}'
   FROM generate_series(0, 20000) AS n`,
  `INSERT INTO worker_heartbeat (beaten_at) VALUES (now())`,
  `INSERT INTO portfolio_sources (tenant_id, mode, set_at)
   SELECT tenant_id, CASE WHEN tenant_id <= 'ten_' || lpad('20', 26, '0') THEN 'custodian'
                          ELSE 'push' END, created_at FROM tenants`,
  `INSERT INTO sandbox_price_history (tenant_id, asset, set_at, price)
   SELECT tenant_id, 'BTC', now() - n * interval '1 hour', 7000000000000
   FROM tenants, generate_series(1, 200) AS n`,
  `INSERT INTO sandbox_providers (tenant_id, provider, next)
   SELECT tenant_id, 'custodian', 'fail' FROM tenants`,
  `INSERT INTO sandbox_calls (tenant_id, call_id, outcome, ready_at, called_at)
   SELECT tenant_id, 'call ' || n, 'succeed', now(), now() - n * interval '26 seconds' FROM crowd`,
]
