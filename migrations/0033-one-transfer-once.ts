import { type Kysely, sql } from 'kysely'

/**
 * References are unique in the form in which they are compared, and a transfer that has arrived is
 * confirmed for one repayment of its tenant, whatever reference it was reported under.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE repayment_references
      ADD COLUMN folded text CHECK (folded IS NFC NORMALIZED);
    -- As core/external-reference.ts folds.
    UPDATE repayment_references
      SET folded = normalize(upper(lower(normalize(reference, NFD) COLLATE pg_unicode_fast)), NFC);
    ALTER TABLE repayment_references
      DROP CONSTRAINT repayment_references_pkey,
      ALTER COLUMN folded SET NOT NULL,
      ADD PRIMARY KEY (tenant_id, folded);
    -- Byte for byte; the table above keeps references unique.
    DROP INDEX repayments_reference;

    CREATE TABLE confirmed_transfers (
      tenant_id    text NOT NULL,
      -- The provider's own id of it, byte for byte.
      transfer_id  text NOT NULL,
      repayment_id text NOT NULL,
      PRIMARY KEY (tenant_id, transfer_id),
      UNIQUE (tenant_id, repayment_id),
      FOREIGN KEY (tenant_id, repayment_id) REFERENCES repayments
    );
  `)
    .execute(db)
}
