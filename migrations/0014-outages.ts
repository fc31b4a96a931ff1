import { type Kysely, sql } from 'kysely'

/** What tells outages, in which no deadline of a margin warning runs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row, once a worker has run: when one was last seen to, by real time.
    CREATE TABLE worker_heartbeat (
      only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      beaten_at timestamptz NOT NULL
    );

    ALTER TABLE margin_warnings
      -- Outages of the workers have moved the deadline up to this real time.
      ADD COLUMN outages_until timestamptz NOT NULL DEFAULT now(),
      -- Since when (domain time) no prices let it be judged.
      ADD COLUMN unevaluated_since timestamptz,
      -- Nothing reads it any more; the release before this one still writes it.
      ALTER COLUMN evaluated_at DROP NOT NULL;
  `)
    .execute(db)
}
