import { type Kysely, sql } from 'kysely'

/** What asked for a piece of work, and what wrote an event: the span that their traces go on from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A W3C traceparent; null where traces are off.
    ALTER TABLE outbox ADD COLUMN traceparent text;
    ALTER TABLE events ADD COLUMN traceparent text;
  `)
    .execute(db)
}
