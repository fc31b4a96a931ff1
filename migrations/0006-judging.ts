import { type Kysely, sql } from 'kysely'

/** What it takes to judge very many facilities at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One worker at a time judges all facilities after a price round: until when it has the right to.
    ALTER TABLE price_feed ADD COLUMN evaluating_until timestamptz;

    -- What decisions that were made together share: prices and policy. With the facts of its own it
    -- is all that a decision was made from.
    CREATE TABLE margin_evaluations (
      tenant_id    text NOT NULL REFERENCES tenants,
      evaluation_id uuid NOT NULL,
      facts        jsonb NOT NULL,
      PRIMARY KEY (tenant_id, evaluation_id)
    );
    -- Null where a decision's own facts are all of them.
    ALTER TABLE margin_decisions ADD COLUMN evaluation_id uuid,
      ADD FOREIGN KEY (tenant_id, evaluation_id) REFERENCES margin_evaluations;
  `)
    .execute(db)
}
