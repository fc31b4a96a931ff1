-- What the release of corrections has brought, for the facility of the first release.
INSERT INTO facility_corrections (tenant_id, facility_id, correction_id, kind, amount_cents, corrected_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'cor_01m8hd19kwe4evm6r0v0hjx7we', 'credit', 100, '2026-11-20 13:01:10+00');
INSERT INTO write_off_readings (tenant_id, facility_id, asked_until) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '2026-11-20 13:16:10+00');
