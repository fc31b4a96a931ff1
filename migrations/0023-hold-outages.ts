import { type Kysely, sql } from 'kysely'

/** Time in which no worker was there to ask the treasury, for which a report holds longer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE repayments
      ADD COLUMN hold_lost_ms bigint NOT NULL DEFAULT 0 CHECK (hold_lost_ms >= 0),
      -- Up to when, by real time, outages are counted in it.
      ADD COLUMN outages_until timestamptz;
  `)
    .execute(db)
}
