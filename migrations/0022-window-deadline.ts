import { type Kysely, sql } from 'kysely'

/** The time that a warning's tier leaves, kept where it was found critical and told to have none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Null where it is cure_deadline itself, as the release before writes it.
    ALTER TABLE margin_warnings ADD COLUMN window_deadline timestamptz;
  `)
    .execute(db)
}
