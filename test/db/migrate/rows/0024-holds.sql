-- What the release of holds has brought, for the facility of the first release.
INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, started_at, ended_at) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'pau_01m8hd19kwe4evm6r0v0hjx7we', 'outage', '2026-11-20 13:01:10+00', '2026-11-20 13:05:00+00');
