import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Which cell the database serves, named by the keys that it issues. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`ALTER TABLE stack ADD COLUMN cell text CHECK (cell ~ '^[a-z0-9]{1,8}$')`)
    .execute(db)
}
