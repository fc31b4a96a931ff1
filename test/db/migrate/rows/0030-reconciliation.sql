-- What the release of the reconciliation has brought, for the tenant of the first release.
INSERT INTO reconciliations (tenant_id, first_day, next_day, time_zone, due_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '2026-11-20', '2026-11-22', 'UTC', '2026-11-23 01:00+00');
INSERT INTO listed_transfers (tenant_id, transfer_id, asset, units, call_id, returns, day) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'transfer-1', 'USD', 500, 'rep_01m8hd19kwe4evm6r0v0hjx7we.0', NULL, '2026-11-20');
INSERT INTO reconciled_days (tenant_id, day, balances, accounts, listed_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', '2026-11-20', '{"USD": "500"}', 1, '2026-11-21 01:00+00');
INSERT INTO reconciliation_breaks (tenant_id, break_id, kind, area, item_id, day, theirs, found_at, written_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'brk_01m8hd19kwe4evm6r0v0hjx7we', 'missing_here', 'bank', 'transfer-1', '2026-11-20', '{"asset": "USD", "units": "500"}', '2026-11-22 01:00+00', '2026-11-22 01:00+00');
INSERT INTO sandbox_transfers (tenant_id, transfer_id, asset, units, call_id, booked_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'transfer-1', 'USD', 500, 'rep_01m8hd19kwe4evm6r0v0hjx7we.0', '2026-11-20 13:00+00');
