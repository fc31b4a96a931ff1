import { type Kysely, sql } from 'kysely'

/** Until when (real time) a request takes an advance further by itself, and no worker does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE clock_advances ADD COLUMN held_until timestamptz`.execute(db)
}
