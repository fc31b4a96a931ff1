-- What notices and receipts have brought, for the facility of the first release.
INSERT INTO margin_raises (tenant_id, event_id, facility_id, warning_number, raised_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1az1e4evm6sec6mstq8d', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '2026-11-20 13:01:00+00');

INSERT INTO margin_notices (tenant_id, event_id, number, channel, at, reference, recorded_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'evt_01m8hd1az1e4evm6sec6mstq8d', '1', 'email', '2026-11-20 13:01:30+00', 'mail-1', '2026-11-20 13:02:00+00');

INSERT INTO receipt_keys (key_id, public_key, sealed, created_at) VALUES
  ('rck_00000000000000000000000000000000', decode(repeat('01', 32), 'hex'), 'k1.aa', '2026-12-01 00:00:00+00');

INSERT INTO margin_receipts (tenant_id, facility_id, call_number, body, sha256, key_id, public_key, signature) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', '1', '{}', sha256('{}'), 'rck_00000000000000000000000000000000', decode(repeat('01', 32), 'hex'), decode(repeat('01', 64), 'hex'));
