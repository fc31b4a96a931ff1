import { type Kysely, sql } from 'kysely'

/** What the custodian answers about a push, and what a tenant has its sandbox custodian hold. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE portfolios
      -- Not evaluated since its positions changed.
      ADD COLUMN is_new boolean NOT NULL DEFAULT false,
      -- Since when (domain time) the custodian is asked about it. Null: nothing depends on the answer.
      ADD COLUMN asked_since timestamptz,
      -- What the custodian held when it was asked about these positions, and when (domain time).
      ADD COLUMN confirmed jsonb,
      ADD COLUMN confirmed_at timestamptz,
      ADD CHECK ((confirmed IS NULL) = (confirmed_at IS NULL));

    ALTER TABLE position_inquiries DROP CONSTRAINT position_inquiries_purpose_check,
      ADD CONSTRAINT position_inquiries_purpose_check
        CHECK (purpose IN ('application', 'reading', 'push', 'escalation', 'sale'));

    ALTER TABLE margin_warnings
      -- The custodian's positions were in breach too: the warning is no mistake of a push.
      ADD COLUMN upheld boolean NOT NULL DEFAULT false,
      DROP CONSTRAINT margin_warnings_cured_by_check,
      ADD CONSTRAINT margin_warnings_cured_by_check
        CHECK (cured_by IN ('repayment', 'collateral', 'price', 'correction'));

    -- What a tenant has its custodian hold for a borrower, whatever is pushed.
    CREATE TABLE sandbox_holdings (
      tenant_id    text NOT NULL,
      borrower_id  text NOT NULL,
      -- Null: what was pushed.
      positions    jsonb,
      -- How long after a question (domain time) it is answered.
      late_seconds integer NOT NULL CHECK (late_seconds >= 0),
      set_at       timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers
    );
  `)
    .execute(db)
}
