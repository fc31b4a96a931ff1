import { type Kysely, sql } from 'kysely'

/** The highest early line of margin that a facility is above, in parts per million; and how many
 * notices it has had. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE facilities ADD COLUMN noticed_ltv_ppm integer NOT NULL DEFAULT 0
      CHECK (noticed_ltv_ppm BETWEEN 0 AND 1000000),
      ADD COLUMN notices integer NOT NULL DEFAULT 0 CHECK (notices >= 0);
  `)
    .execute(db)
}
