import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Since when the tables are spread over the nodes of a Citus cluster. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE stack ADD COLUMN distributed_at timestamptz').execute(db)
}
