-- What the release of personal data has brought: a key that a process made before migrate sealed the rest.
INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key) VALUES
  ('ten_01m8hd13vxe4evm6jmy5hvbqs3', 'bor_01m8hd143ge4evm6k2s5kh77nt', 'test.4BiX7cmnj41yhc60q3PAK7GkAcZd17f+dekh79ZSCNyJGH0MUtQt+670477K401YTYZRlh3q8LJK0FiaVKrkjMX9FR2Q07oF');
