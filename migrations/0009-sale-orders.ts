import { type Kysely, sql } from 'kysely'

/** What is known of an order of a margin call between its placing and its end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- When the custodian said that it has taken the order on. Null: it may never have heard of it.
    ALTER TABLE margin_sales ADD COLUMN acknowledged_at timestamptz;
    -- A custodian may have sold more than was ordered. What has happened is booked.
    ALTER TABLE margin_sales DROP CONSTRAINT margin_sales_check,
      ADD CHECK (filled_units >= 0 AND filled_units < 1e40);

    -- What a sandbox provider has answered with, where it cannot be told from the call itself.
    ALTER TABLE sandbox_calls ADD COLUMN result jsonb;
    -- The sandbox has executed nothing but what is booked: an order whose answer nobody has heard is
    -- decided anew.
    DELETE FROM sandbox_calls WHERE call_id LIKE 'custodian/%/call/%';
  `)
    .execute(db)
}
