import { type Kysely, sql } from 'kysely'

/** When the invariants were last checked, and what was found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row: the last period for which a worker has begun, and what the last that ended found:
    -- {invariant: violations}, and how many checks took too long.
    CREATE TABLE audits (
      only_row    boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      slot        bigint NOT NULL DEFAULT 0,
      finished_at timestamptz,
      violations  jsonb NOT NULL DEFAULT '{}',
      unfinished  integer NOT NULL DEFAULT 0 CHECK (unfinished >= 0)
    );
    INSERT INTO audits DEFAULT VALUES;
  `)
    .execute(db)
}
