import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0022-audit'

/** Who asked for an amendment that waits, and the list of those. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Null: a tenant on its sandbox. An older build neither writes nor clears it.
    ALTER TABLE facilities ADD COLUMN next_terms_by text;
    CREATE INDEX facilities_amended ON facilities (next_terms_at, facility_id)
      WHERE next_terms_at IS NOT NULL;
  `)
    .execute(db)
}
