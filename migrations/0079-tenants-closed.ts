import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A closed tenant stays suspended for good, and was exported before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE tenants
      ADD COLUMN closed_at timestamptz,
      -- The tenant's last event that a complete export holds.
      ADD COLUMN exported_sequence bigint,
      ADD CONSTRAINT tenants_closed
        CHECK (closed_at IS NULL OR (suspended_at IS NOT NULL AND exported_sequence IS NOT NULL))`)
    .execute(db)
}
