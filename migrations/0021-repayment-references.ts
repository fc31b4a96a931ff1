import { type Kysely, sql } from 'kysely'

/** A reference that a repayment was once reported under is its own, also after a later report. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE repayment_references (
      tenant_id    text NOT NULL,
      reference    text NOT NULL,
      repayment_id text NOT NULL,
      PRIMARY KEY (tenant_id, reference),
      FOREIGN KEY (tenant_id, repayment_id) REFERENCES repayments
    );
    INSERT INTO repayment_references (tenant_id, reference, repayment_id)
      SELECT tenant_id, reference, repayment_id FROM repayments WHERE reference IS NOT NULL;
  `)
    .execute(db)
}
