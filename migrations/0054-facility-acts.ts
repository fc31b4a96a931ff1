import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The instants of a facility's acts never go back. Not validated: a leap of a sandbox clock has left
 * rows that do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Of the last act: none that comes after it, under the facility's lock, is dated before it.
    ALTER TABLE facilities ADD COLUMN acted_at timestamptz;

    ALTER TABLE margin_warnings ADD CONSTRAINT margin_warnings_in_order
      CHECK (cured_at >= raised_at AND escalated_at >= raised_at) NOT VALID;
    ALTER TABLE margin_calls ADD CONSTRAINT margin_calls_in_order
      CHECK (started_at >= created_at AND completed_at >= coalesce(started_at, created_at))
      NOT VALID;
    ALTER TABLE margin_sales ADD CONSTRAINT margin_sales_in_order
      CHECK (acknowledged_at >= ordered_at AND executed_at >= ordered_at) NOT VALID`)
    .execute(db)
}
