import { type Kysely, sql } from 'kysely'

/** Which stack the database belongs to, what its processes report, and whether it can be written to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One row, written by the command that migrates. A copy of a database keeps it.
    CREATE TABLE stack (
      only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      -- Builds that do not know a distributed name refuse the database as another stack's.
      name           text NOT NULL
        CHECK (name IN ('live', 'sandbox', 'distributed live', 'distributed sandbox')),
      instance_id    uuid NOT NULL DEFAULT gen_random_uuid(),
      written_at     timestamptz NOT NULL DEFAULT now(),
      -- Since when the tables are spread over the nodes of a Citus cluster.
      distributed_at timestamptz
    );

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

    -- Where /readyz tries whether PostgreSQL writes. It never has a row that anyone sees. A row takes a
    -- page of its own, so each makes the file longer, which is what a full disk refuses. Vacuum gives all
    -- of it back.
    CREATE TABLE write_probe (filler text NOT NULL)
      WITH (fillfactor = 10, autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0,
            autovacuum_vacuum_insert_threshold = -1);
    ALTER TABLE write_probe ALTER filler SET STORAGE PLAIN;
  `)
    .execute(db)
}
