import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What each process reports of itself, and what the last audit found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Overwritten every few seconds by the process itself, which deletes it when it ends.
    CREATE TABLE processes (
      process_id  uuid PRIMARY KEY,
      kind        text NOT NULL CHECK (kind IN ('api', 'worker')),
      host        text NOT NULL,
      version     text NOT NULL,
      started_at  timestamptz NOT NULL,
      reported_at timestamptz NOT NULL,
      report      jsonb NOT NULL
    ) WITH (fillfactor = 50);

    ALTER TABLE audits
      -- Of each check that found something or did not finish, its first violations.
      ADD COLUMN findings jsonb NOT NULL DEFAULT '[]',
      -- Set by an operator; a worker clears it when it begins.
      ADD COLUMN requested_at timestamptz;
  `)
    .execute(db)
}
