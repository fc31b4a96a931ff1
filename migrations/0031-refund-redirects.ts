import { type Kysely, sql } from 'kysely'

/**
 * A refund whose payment was refused can be paid elsewhere. `ordered` says which payment was last
 * asked of the treasury: while its answer is open, the destination must not change.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- The refusals that there were when a payment was last ordered.
    ALTER TABLE refunds ADD COLUMN ordered integer CHECK (ordered <= refusals);

    CREATE TABLE refund_redirects (
      tenant_id        text NOT NULL,
      refund_id        text NOT NULL,
      number           integer NOT NULL CHECK (number > 0),
      from_destination text NOT NULL,
      to_destination   text NOT NULL,
      -- The first payment that goes to the new destination.
      refusals         integer NOT NULL CHECK (refusals > 0),
      reason           text NOT NULL,
      redirected_at    timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, refund_id, number),
      FOREIGN KEY (tenant_id, refund_id) REFERENCES refunds
    );
  `)
    .execute(db)
}
