import { type Kysely, sql } from 'kysely'

/**
 * Readings are stored again every minute, whole pages of them in one transaction: a page has room for
 * the next version of each of its rows, so that no index is touched.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE custodian_positions SET (
      fillfactor = 50,
      autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 2000
    );
  `)
    .execute(db)
}
