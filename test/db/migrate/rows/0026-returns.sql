-- What the release of returns has brought, for the facility of the first release.
INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'rep_01m8hd19kwe4evm6r0v0hjx7we', 'fac_01m8hd19kwe4evm6r0v0hjx7we', 'refused', '{"status": "refused"}', '2026-11-20 13:01:10+00');
