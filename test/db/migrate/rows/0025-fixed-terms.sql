-- The service's own terms as a row, a loan that is bound to them and had another rate before it was drawn,
-- and an amendment of it that waits.
INSERT INTO margin_policy_versions (number, terms, effective_from, note, proposed_by, signed_by, created_at) VALUES
  (0, '{}', '2026-11-01T00:00:00.000001Z', '2026-11', 'service', 'service', '2026-11-01T00:00:00Z');
UPDATE facilities SET terms_version = 0, next_terms_at = '2099-12-20T12:00:00Z', next_terms_version = 0,
    next_rate_ppm = 120000, earlier_rates = '[{"rate_ppm": 110000, "until": "2020-01-01T00:00:00.000Z"}]'
  WHERE state = 'APPROVED';
