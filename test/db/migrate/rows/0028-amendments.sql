-- Who asked for the amendment that waits.
UPDATE facilities SET next_terms_by = 'ada@lender.example' WHERE next_terms_at IS NOT NULL;
