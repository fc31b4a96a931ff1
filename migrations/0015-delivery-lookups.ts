import { type Kysely, sql } from 'kysely'

/**
 * Leaves the look-up of a delivery one index, its key. Where statistics are behind, as in the first
 * minutes of a month, the planner holds any index that begins with tenant and webhook for as good,
 * and read all deliveries of a webhook for each one that a worker claimed or recorded. The predicate
 * is true of every row and keeps the index to the queries that name a state.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    DROP INDEX deliveries_by_state;
    CREATE INDEX deliveries_by_state ON deliveries (tenant_id, webhook_id, state, sequence)
      WHERE state IS NOT NULL;
  `)
    .execute(db)
}
