import { type Kysely, sql } from 'kysely'

// An older worker would pay to a sealed destination.
export const oldestBuild = '0031-personal-data'

/** A key for each borrower, which seals what names a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Sealed by the stack's encryption keys. Null once it is destroyed: then nothing opens any more.
    CREATE TABLE borrower_keys (
      tenant_id   text NOT NULL,
      borrower_id text NOT NULL,
      sealed_key  text,
      erased_at   timestamptz,
      PRIMARY KEY (tenant_id, borrower_id),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      CONSTRAINT borrower_keys_erased CHECK ((sealed_key IS NULL) = (erased_at IS NOT NULL))
    );
  `)
    .execute(db)
}
