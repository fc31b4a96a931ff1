import { type Kysely, sql } from 'kysely'

/**
 * The facility that a borrower's portfolio concerns, on the row which a push locks: read there it is
 * never older than the lock, and a push takes one statement.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE borrowers ADD COLUMN latest_facility_id text;
    UPDATE borrowers b SET latest_facility_id = (
      SELECT max(f.facility_id) FROM facilities f
      WHERE f.tenant_id = b.tenant_id AND f.borrower_id = b.borrower_id
    );
    ALTER TABLE borrowers ADD FOREIGN KEY (tenant_id, latest_facility_id) REFERENCES facilities;
  `)
    .execute(db)
}
