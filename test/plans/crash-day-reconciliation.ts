/** A draw and a repayment of every fifth facility, listed today; breaks of every tenant. */
export const RECONCILIATION_TABLES: readonly string[] = [
  // In the order of this file: what was sold is on the bank too.
  `INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
   SELECT tenant_id, facility_id, 'sale/' || call_number || '/' || number FROM margin_sales
   WHERE status = 'FILLED'`,
  `INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
   SELECT tenant_id, facility_id, 'sale/' || call_number || '/' || number, 'sale',
     '{bank,collateral_proceeds}', '{USD,USD}', '{1000,-1000}', now()
   FROM margin_sales WHERE status = 'FILLED'`,
  `INSERT INTO reconciliations (tenant_id, first_day, next_day, time_zone, due_at)
   SELECT tenant_id, '2026-01-01', to_char(now(), 'YYYY-MM-DD'), 'UTC', now() FROM tenants
   WHERE tenant_id < 'ten_' || lpad('190', 26, '0')`,
  `INSERT INTO listed_transfers (tenant_id, transfer_id, asset, units, call_id, returns, day)
   SELECT tenant_id, 'out ' || n, 'USD', -5000, 'drw_' || right(facility_id, 26), NULL,
     to_char(now() - (n % 50) * interval '1 day', 'YYYY-MM-DD') FROM crowd WHERE n % 5 = 0
   UNION ALL
   SELECT tenant_id, 'back ' || n, 'USD', 5000, NULL, 'out ' || n,
     to_char(now() - (n % 50) * interval '1 day', 'YYYY-MM-DD') FROM crowd WHERE n % 5 = 0`,
  `INSERT INTO reconciled_days (tenant_id, day, balances, listed_at)
   SELECT tenant_id, to_char(now() - ago * interval '1 day', 'YYYY-MM-DD'), '{"USD": "100"}', now()
   FROM tenants, generate_series(1, 60) AS ago`,
  `INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, theirs, found_at,
                                      written_at, owner, taken_at, resolved_at, resolved_by, resolution)
   SELECT tenant_id, 'brk_' || right(tenant_id, 20) || lpad(n::text, 6, '0'), 'missing_here', 'bank',
     'item ' || n, '2026-11-01', jsonb_build_object('transfer_id', 'item ' || n), now(), now() - n * interval '1 minute', 'ada@lender.example', now(),
     CASE WHEN n > 2 THEN now() END, CASE WHEN n > 2 THEN 'reconciliation' END,
     CASE WHEN n > 2 THEN 'agreed since' END
   FROM tenants, generate_series(1, 100) AS n`,
  `INSERT INTO sandbox_transfers (tenant_id, transfer_id, asset, units, call_id, booked_at)
   SELECT tenant_id, 'out ' || n, 'USD', -5000, 'drw_' || right(facility_id, 26),
     now() - (n % 50) * interval '1 day' FROM crowd WHERE n % 5 = 0`,
]
