import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A transfer pays once in the stack, whichever tenant reports it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The one key that does not begin with the tenant: on a distributed database the rows are spread
    -- by the transfer. So there is no reference to the repayment; the audit compares the two.
    CREATE TABLE transfer_claims (
      transfer_id  text PRIMARY KEY,
      tenant_id    text NOT NULL,
      repayment_id text NOT NULL
    );
    CREATE INDEX transfer_claims_by_tenant ON transfer_claims (tenant_id);

    -- The sandbox's treasury named a transfer by its reference alone, so tenants shared names.
    UPDATE confirmed_transfers
    SET transfer_id = 'sandbox-' || tenant_id || '-' || substr(transfer_id, length('sandbox-') + 1)
    WHERE transfer_id LIKE 'sandbox-%' AND EXISTS (SELECT FROM stack WHERE name LIKE '%sandbox');

    INSERT INTO transfer_claims (transfer_id, tenant_id, repayment_id)
    SELECT DISTINCT ON (transfer_id) transfer_id, tenant_id, repayment_id
    FROM confirmed_transfers ORDER BY transfer_id, written_at;

    ALTER TABLE repayments
      -- The transfer that the treasury answered with, which pays another repayment.
      ADD COLUMN contested_transfer text CHECK (contested_transfer IS NULL OR status = 'REPORTED'),
      -- Since when an operator has to decide.
      ADD COLUMN undecided_since timestamptz,
      ADD CONSTRAINT repayments_undecided
        CHECK ((undecided_since IS NULL) = (contested_transfer IS NULL));
    CREATE INDEX repayments_undecided_first ON repayments (undecided_since, repayment_id)
      WHERE undecided_since IS NOT NULL;
  `)
    .execute(db)
}
