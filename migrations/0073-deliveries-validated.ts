import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Reads all deliveries, while they are written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_next_attempt;
    ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_listed_as;`)
    .execute(db)
}
