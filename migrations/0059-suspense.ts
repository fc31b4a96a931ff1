import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Money beyond what was claimed, and money that can still be taken back. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE repayments
      -- Received beyond what was claimed, in the confirmed asset; the end is what operators decided.
      ADD COLUMN suspended_units numeric NOT NULL DEFAULT 0
        CHECK (suspended_units >= 0 AND suspended_units < 1e40),
      ADD COLUMN suspense_end text CHECK (suspense_end IN ('applied', 'returned')),
      -- The repayment from whose suspense it was paid: without a report, reference or transfer.
      ADD COLUMN split_from text,
      -- Until then the money can be taken back.
      ADD COLUMN final_at timestamptz,
      ADD FOREIGN KEY (tenant_id, split_from) REFERENCES repayments,
      ADD CHECK (suspended_units = 0 OR status = 'APPLIED'),
      ADD CHECK (suspense_end IS NULL OR suspended_units > 0),
      DROP CONSTRAINT repayments_undecided,
      ADD CONSTRAINT repayments_undecided CHECK ((undecided_since IS NOT NULL) =
        (contested_transfer IS NOT NULL OR (suspended_units > 0 AND suspense_end IS NULL))),
      DROP CONSTRAINT repayments_check2,
      ADD CONSTRAINT repayments_reported CHECK (status NOT IN ('REPORTED', 'APPLIED')
        OR (reported_at IS NOT NULL AND delivered_units IS NOT NULL
            AND (reference IS NULL) = (split_from IS NOT NULL)));
    CREATE UNIQUE INDEX repayments_split_once ON repayments (tenant_id, split_from)
      WHERE split_from IS NOT NULL;
    CREATE INDEX repayments_in_suspense ON repayments (tenant_id, facility_id)
      WHERE suspended_units > 0 AND suspense_end IS NULL;

    -- The last instant at which money of the facility becomes final.
    ALTER TABLE facilities ADD COLUMN provisional_until timestamptz;
    -- Not before: until then the money that it comes from can be taken back.
    ALTER TABLE refunds ADD COLUMN payable_at timestamptz;
  `)
    .execute(db)
}
