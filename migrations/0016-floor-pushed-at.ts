import { type Kysely, sql } from 'kysely'

/** When the newest floor was computed: what has come up since then may be interest alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE facilities ADD COLUMN floor_pushed_at timestamptz`.execute(db)
}
