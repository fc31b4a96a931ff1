import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Where `/readyz` tries whether PostgreSQL writes. It never has a row that anyone sees. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A row takes a page of its own, so each makes the file longer, which is what a full disk refuses.
    -- Vacuum gives all of it back.
    CREATE TABLE write_probe (filler text NOT NULL)
      WITH (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0,
            autovacuum_vacuum_insert_threshold = -1);
    ALTER TABLE write_probe ALTER filler SET STORAGE PLAIN;`)
    .execute(db)
}
