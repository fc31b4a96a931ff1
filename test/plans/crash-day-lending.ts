import { LOOKS_SEALED } from '../support/stores/sealer.ts'

/** 2 entries a facility: 200,000 in all. */
const ENTRIES_EACH = 2

/**
 * Borrowers, facilities and their money. By its number, a facility is in most cases approved and
 * indebted; every fiftieth has one thing or another under way.
 */
export const LENDING_TABLES: readonly string[] = [
  `INSERT INTO borrowers (tenant_id, borrower_id, type, kyc_attested, residency_country, eligible,
                          created_at, updated_at, latest_facility_id, blocked_at, blocked_reason,
                          external_id)
   SELECT tenant_id, borrower_id, 'individual', true, 'DE', n % 50 <> 49,
     now() - interval '30 days', now(), facility_id,
     CASE WHEN n % 100 = 7 THEN now() - n * interval '1 s' END,
     CASE WHEN n % 100 = 7 THEN '${LOOKS_SEALED}' END, CASE WHEN n % 10 = 1 THEN 'client-' || n END
   FROM crowd`,
  `INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key, erased_at)
   SELECT tenant_id, borrower_id, CASE WHEN n % 500 <> 439 THEN 'k1.' || n END,
     CASE WHEN n % 500 = 439 THEN now() END FROM crowd`,
  `INSERT INTO erasure_key (sealed) VALUES ('k1.aa.bb')`,
  `INSERT INTO signatures (tenant_id, signature_id, borrower_id, number, full_name, email,
                           ip_address, signed_at, contract_type, contract_version, recorded_at)
   SELECT tenant_id, 'sig_' || right(borrower_id, 26), borrower_id, 1, '${LOOKS_SEALED}',
     '${LOOKS_SEALED}', '${LOOKS_SEALED}', now(), 'master_loan_agreement', '2026-01', now() FROM crowd`,
  `INSERT INTO compliance_checks (tenant_id, check_id, borrower_id, kind, signature_id, subject,
                                  status, created_at, decided_at)
   SELECT tenant_id, 'chk_' || right(borrower_id, 26), borrower_id, 'kyc',
     'sig_' || right(borrower_id, 26), '${LOOKS_SEALED}',
     CASE n % 50 WHEN 48 THEN 'review' WHEN 49 THEN 'pending' ELSE 'passed' END, now(),
     CASE WHEN n % 50 NOT IN (48, 49) THEN now() END FROM crowd`,
  `INSERT INTO portfolios (tenant_id, borrower_id, as_of, digest, positions, received_at, asked_since)
   SELECT tenant_id, borrower_id, (extract(epoch FROM now()) * 1000000)::bigint - 3600000000 + n,
     decode(repeat('00', 32), 'hex'),
     jsonb_build_object('BTC', (100000000 + n)::text, 'USDC', '5000000000'),
     now() - interval '1 hour', CASE WHEN n % 5 = 1 THEN now() END FROM crowd`,
  `INSERT INTO custodian_positions (tenant_id, borrower_id, positions, read_at)
   SELECT tenant_id, borrower_id, jsonb_build_object('BTC', (100000000 + n)::text),
     now() - interval '5 minutes' FROM crowd`,
  `INSERT INTO facilities (tenant_id, facility_id, borrower_id, state, limit_cents, rate_ppm,
     custody_account, principal_cents, reserved_cents, interest_numerator, interest_booked_cents,
     accrued_at, floor_sequence, custodian_sequence, custodian_floor_cents, floor_pushed_at,
     close_reason, created_at, updated_at, decisioned_at, closed_at, terms_version,
     next_terms_at, next_terms_version, external_id)
   SELECT tenant_id, facility_id, borrower_id, state, 10000000, 100000, 'account ' || n,
     CASE WHEN state = 'APPROVED' THEN 5000000 ELSE 0 END,
     CASE WHEN state = 'APPROVED' AND n % 100 = 3 THEN 10000 ELSE 0 END, 0, 0,
     now() - interval '20 days', 2, 2, 7000000, now(),
     CASE WHEN state = 'CLOSED' THEN 'repaid' END, now() - interval '20 days', now(),
     CASE WHEN state <> 'PENDING' THEN now() END, CASE WHEN state = 'CLOSED' THEN now() END,
     CASE WHEN state <> 'PENDING' AND n % 100 <> 7 THEN 0 END,
     CASE WHEN state = 'APPROVED' AND n % 1000 = 5 THEN date_trunc('milliseconds', now()) + interval '9 days' END,
     CASE WHEN state = 'APPROVED' AND n % 1000 = 5 THEN 1 END,
     CASE WHEN n % 10 = 1 THEN 'loan-' || n END
   FROM (SELECT *, CASE n % 500 WHEN 409 THEN 'PENDING' WHEN 419 THEN 'CLOSING'
                     WHEN 429 THEN 'CLOSED' WHEN 439 THEN 'CLOSED' ELSE 'APPROVED' END AS state
         FROM crowd) AS crowd`,
  `INSERT INTO sandbox_holdings (tenant_id, borrower_id, positions, late_seconds, set_at)
   SELECT tenant_id, borrower_id, '{"BTC": "100000000"}', 0, now() - interval '30 days' FROM crowd`,
  `INSERT INTO sandbox_liens (tenant_id, facility_id, sequence, floor_cents)
   SELECT tenant_id, facility_id, 2, 7000000 FROM crowd`,
  `INSERT INTO principal_movements (tenant_id, facility_id, source_id, effective_at, delta_cents)
   SELECT tenant_id, facility_id, 'drw_' || right(facility_id, 26), now() - interval '20 days', 5000000
   FROM crowd`,
  `INSERT INTO draws (tenant_id, draw_id, facility_id, status, asset, amount_units, debt_cents,
                      destination, reference, requested_at, completed_at, payout_sent_at)
   SELECT tenant_id, 'drw_' || right(facility_id, 26), facility_id, 'COMPLETED', 'USD', 5000000,
     5000000, '${LOOKS_SEALED}', 'out ' || n, now() - interval '20 days', now() - interval '20 days', NULL
   FROM crowd
   UNION ALL
   SELECT tenant_id, 'drw_1' || right(facility_id, 25), facility_id, 'PENDING', 'USD', 10000, 10000,
     '${LOOKS_SEALED}', NULL, now() - interval '20 minutes', NULL,
     CASE WHEN n % 200 = 103 THEN now() - interval '10 minutes' END FROM crowd WHERE n % 100 = 3`,
  `UPDATE draws SET status = 'RETURNED', returned_units = amount_units, returned_at = now(),
     return_code = 'closed' WHERE reference ~ '[05]04$'`,
  `INSERT INTO repayments (tenant_id, repayment_id, facility_id, margin_warning_number, status, asset,
     amount_units, delivered_units, reference, confirmed_asset, confirmed_units, interest_cents,
     principal_cents, refund_cents, requested_at, reported_at, applied_at, final_at)
   SELECT tenant_id, 'rep_' || right(facility_id, 26), facility_id, CASE WHEN n % 5 IN (1, 2) THEN 1 END,
     status, 'USD', 1000, CASE WHEN status <> 'PENDING' THEN 1000 END,
     CASE WHEN status <> 'PENDING' THEN CASE WHEN n % 500 = 439 THEN 'erased.' ELSE 'in ' END || n END,
     CASE WHEN status = 'APPLIED' THEN 'USD' END, CASE WHEN status = 'APPLIED' THEN 1000 END,
     CASE WHEN status = 'APPLIED' THEN 0 END, CASE WHEN status = 'APPLIED' THEN 1000 END,
     CASE WHEN status = 'APPLIED' THEN 0 END, now() - interval '1 day',
     CASE WHEN status <> 'PENDING' THEN now() END, CASE WHEN status = 'APPLIED' THEN now() END,
     CASE WHEN status = 'APPLIED' AND n % 5 IN (0, 1, 2) THEN now() + interval '1 day' END
   FROM (SELECT *, CASE n % 100 WHEN 1 THEN 'REPORTED' WHEN 2 THEN 'PENDING' ELSE 'APPLIED' END AS status
         FROM crowd) AS crowd`,
  `INSERT INTO repayments (tenant_id, repayment_id, facility_id, status, asset, amount_units, split_from,
     delivered_units, confirmed_asset, confirmed_units, interest_cents, principal_cents, refund_cents, requested_at,
     reported_at, applied_at)
   SELECT tenant_id, 'rep_1' || right(facility_id, 25), facility_id, 'APPLIED', 'USD', 500,
     'rep_' || right(facility_id, 26), 500, 'USD', 500, 0, 500, 0, now(), now(), now()
   FROM crowd WHERE n % 1000 = 5`,
  `UPDATE repayments SET suspended_units = 500, undecided_since = now()
   WHERE status = 'APPLIED' AND reference ~ '005$'`,
  `INSERT INTO repayment_references (tenant_id, reference, repayment_id, folded)
   SELECT tenant_id, reference, repayment_id,
     CASE WHEN reference LIKE 'in %' THEN upper(reference) ELSE reference END
   FROM repayments WHERE reference IS NOT NULL`,
  `INSERT INTO confirmed_transfers (tenant_id, transfer_id, repayment_id)
   SELECT tenant_id, reference, repayment_id FROM repayments
   WHERE status = 'APPLIED' AND split_from IS NULL`,
  `INSERT INTO transfer_claims (tenant_id, transfer_id, repayment_id)
   SELECT tenant_id, transfer_id, repayment_id FROM confirmed_transfers`,
  `UPDATE repayments SET contested_transfer = 'in 3', undecided_since = now()
   WHERE status = 'REPORTED' AND reference ~ '[05]01$'`,
  `INSERT INTO refunds (tenant_id, refund_id, facility_id, source_id, status, asset, amount_units,
                        cents, destination, refusals, ordered, created_at, paid_at, payable_at)
   SELECT tenant_id, 'ref_' || right(facility_id, 26), facility_id, 'rep_' || right(facility_id, 26),
     CASE WHEN n % 10 = 0 THEN 'PENDING' ELSE 'PAID' END, 'USD', 100, 100, '${LOOKS_SEALED}',
     CASE WHEN n % 10000 = 10 THEN 1 ELSE 0 END,
     CASE WHEN n % 20 = 10 THEN (n % 10000 = 10)::int END, now() - interval '20 minutes',
     CASE WHEN n % 10 <> 0 THEN now() END,
     CASE WHEN n % 10 = 0 THEN now() - interval '10 minutes' END
   FROM crowd WHERE n % 5 = 0`,
  `INSERT INTO doubtful_calls (tenant_id, subject_id, facility_id, reason, answer, since)
   SELECT tenant_id, 'ref_' || right(facility_id, 26), facility_id, 'refused', '{}', now() - interval '1 day'
   FROM crowd WHERE n % 1000 = 10`,
  `INSERT INTO facility_corrections (tenant_id, facility_id, correction_id, kind, amount_cents, corrected_at)
   SELECT tenant_id, facility_id, 'cor_' || number, 'credit', 100, now() - number * interval '1 hour'
   FROM crowd, generate_series(1, 3) AS number WHERE n % 100 = 5`,
  `INSERT INTO write_off_readings (tenant_id, facility_id, asked_until, read_at, positions)
   SELECT tenant_id, facility_id, now(), now(), '[]' FROM crowd WHERE n % 100 = 5`,
  `INSERT INTO position_inquiries (tenant_id, facility_id, purpose, number, basis, asked_at)
   SELECT tenant_id, facility_id, 'escalation', 1, 'warning 1', CASE WHEN n % 2 = 0 THEN now() END
   FROM crowd`,
  `INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
   SELECT tenant_id, facility_id, 'accrual/' || lpad(entry::text, 6, '0')
   FROM crowd, generate_series(1, ${ENTRIES_EACH}) AS entry ORDER BY n, entry`,
  `INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
   SELECT tenant_id, facility_id, 'accrual/' || lpad(entry::text, 6, '0'),
     CASE entry WHEN 1 THEN 'draw' ELSE 'accrual' END,
     CASE entry WHEN 1 THEN '{loans_receivable,bank}'::text[]
       ELSE '{interest_receivable,interest_income}' END, '{USD,USD}', '{1000,-1000}',
     now() - interval '20 days' + entry * interval '90 hours'
   FROM crowd, generate_series(1, ${ENTRIES_EACH}) AS entry ORDER BY n, entry`,
  `INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
   SELECT tenant_id, facility_id, 'charge_off' FROM crowd WHERE n % 1000 = 5`,
  `INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
   SELECT tenant_id, facility_id, 'charge_off', 'charge_off', '{loans_receivable,write_offs}', '{USD,USD}',
     '{-1000,1000}', now() FROM crowd WHERE n % 1000 = 5`,
  // Neither this month nor the last, in which all entries are booked.
  `INSERT INTO closed_months (tenant_id, month, closed_at)
   SELECT tenant_id, date_trunc('month', now() AT TIME ZONE 'UTC') - n * interval '1 month', now()
   FROM tenants, generate_series(2, 12) AS n`,
]
