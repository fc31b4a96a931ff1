import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** Money that comes back: of receipts, draws and refunds, and what of it operators decide. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE facilities
      -- What has come back made principal that no limit allows: that much may be above it.
      ADD COLUMN over_limit_cents numeric NOT NULL DEFAULT 0
        CHECK (over_limit_cents >= 0 AND over_limit_cents < 1e20),
      -- Debt that returns have brought, each until an instant: it sells nobody out before.
      ADD COLUMN eased jsonb,
      DROP CONSTRAINT facilities_within_limit,
      ADD CONSTRAINT facilities_within_limit
        CHECK (principal_cents + reserved_cents <= limit_cents + over_limit_cents + 1);

    ALTER TABLE repayments
      ADD COLUMN returned_at timestamptz,
      ADD COLUMN reversed_at timestamptz,
      ADD COLUMN return_code text,
      -- The treasury was asked at final_at or later, and the money had not come back.
      ADD COLUMN finality_at timestamptz,
      -- Payouts of what is in suspense that came back.
      ADD COLUMN suspense_returns integer NOT NULL DEFAULT 0,
      DROP CONSTRAINT repayments_status_check,
      DROP CONSTRAINT repayments_check2,
      DROP CONSTRAINT repayments_check3,
      DROP CONSTRAINT repayments_suspense_end_check,
      ADD CONSTRAINT repayments_status_check
        CHECK (status IN ('PENDING', 'REPORTED', 'APPLIED', 'FAILED', 'REVERSED')),
      ADD CONSTRAINT repayments_applied
        CHECK ((status IN ('APPLIED', 'REVERSED')) = (applied_at IS NOT NULL)),
      ADD CONSTRAINT repayments_suspended
        CHECK (suspended_units = 0 OR status IN ('APPLIED', 'REVERSED')),
      ADD CONSTRAINT repayments_suspense_end_check
        CHECK (suspense_end IN ('applied', 'returned', 'reversed')),
      ADD CONSTRAINT repayments_returned CHECK ((return_code IS NOT NULL) = (returned_at IS NOT NULL)
        AND (return_code IS NOT NULL) = (reversed_at IS NOT NULL)
        AND (status <> 'REVERSED' OR return_code IS NOT NULL));
    UPDATE repayments SET finality_at = final_at WHERE final_at <= now();
    UPDATE facilities SET provisional_until = NULL WHERE provisional_until <= now();

    ALTER TABLE draws
      ADD COLUMN returned_units numeric CHECK (returned_units > 0 AND returned_units <= amount_units),
      ADD COLUMN returned_at timestamptz,
      ADD COLUMN return_code text,
      DROP CONSTRAINT draws_status_check,
      DROP CONSTRAINT draws_check,
      ADD CONSTRAINT draws_status_check
        CHECK (status IN ('PENDING', 'COMPLETED', 'FAILED', 'RETURNED')),
      ADD CONSTRAINT draws_completed
        CHECK ((status IN ('COMPLETED', 'RETURNED')) = (completed_at IS NOT NULL)),
      ADD CONSTRAINT draws_returned CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL)
        AND (status = 'RETURNED') = (returned_units IS NOT NULL)
        AND (status = 'RETURNED') = (return_code IS NOT NULL));

    ALTER TABLE refunds
      -- What of its cents is owed back no longer. While a recall is not answered it may be paid still.
      ADD COLUMN taken_cents numeric NOT NULL DEFAULT 0 CHECK (taken_cents >= 0),
      -- Of the payment that was last ordered. Null, from an older build: all of it.
      ADD COLUMN ordered_cents numeric CHECK (ordered_cents >= 0 AND ordered_cents <= cents),
      ADD COLUMN ordered_units numeric CHECK (ordered_units > 0 AND ordered_units <= amount_units),
      -- Operators redirect it first.
      ADD COLUMN awaits_redirect boolean NOT NULL DEFAULT false,
      ADD COLUMN returned_at timestamptz,
      ADD COLUMN return_code text,
      DROP CONSTRAINT refunds_status_check,
      DROP CONSTRAINT refunds_check1,
      ADD CONSTRAINT refunds_status_check
        CHECK (status IN ('PENDING', 'PAID', 'CANCELLED', 'RETURNED')),
      ADD CONSTRAINT refunds_paid
        CHECK ((status IN ('PAID', 'RETURNED')) = (paid_at IS NOT NULL)),
      ADD CONSTRAINT refunds_returned CHECK ((status = 'RETURNED') = (returned_at IS NOT NULL)
        AND (status = 'RETURNED') = (return_code IS NOT NULL)),
      ADD CONSTRAINT refunds_taken CHECK (taken_cents <= cents);

    -- What the payments provider has answered about a call that was done, and operators decide.
    CREATE TABLE doubtful_calls (
      tenant_id   text NOT NULL,
      -- A repayment, a draw or a refund.
      subject_id  text NOT NULL,
      facility_id text NOT NULL,
      reason      text NOT NULL
        CHECK (reason IN ('refused', 'other_amount', 'other_content', 'paid_out')),
      answer      jsonb NOT NULL,
      since       timestamptz NOT NULL,
      settled_at  timestamptz,
      PRIMARY KEY (tenant_id, subject_id),
      FOREIGN KEY (tenant_id, facility_id) REFERENCES facilities
    );
    CREATE INDEX doubtful_calls_open ON doubtful_calls (since, subject_id)
      WHERE settled_at IS NULL;
  `)
    .execute(db)
}
