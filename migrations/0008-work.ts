import { type Kysely, sql } from 'kysely'

/** Deferred work of every kind, committed with the change that asks for it. Redis only wakes workers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE work (
      tenant_id     text NOT NULL REFERENCES tenants,
      topic         text NOT NULL,
      subject_id    text NOT NULL,
      -- What due_at is measured by: real time, or the tenant's domain time.
      clock         text NOT NULL CHECK (clock IN ('real', 'tenant')),
      priority      smallint NOT NULL,
      due_at        timestamptz NOT NULL,
      -- May be claimed now. Work that is asked for at once is ready from the start; the rest is
      -- marked when its time has come, so that a claim reads nothing that is not due.
      ready         boolean NOT NULL DEFAULT false,
      lease         uuid,
      -- Real time: the lease's end, or the end of the pause after a deadline has failed.
      held_until    timestamptz,
      -- Rises with each request, so that one made during a run is not lost.
      generation    bigint NOT NULL DEFAULT 1,
      -- Failures in a row, since when, and the last one's error.
      attempts      integer NOT NULL DEFAULT 0,
      failing_since timestamptz,
      last_error    text,
      traceparent   text,
      written_at    timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, topic, subject_id)
    ) WITH (
      -- Room for a request that finds its work waiting: it changes no indexed column.
      fillfactor = 70,
      -- Every row is updated and deleted within seconds, and claims pass over what is left of it.
      autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000,
      autovacuum_vacuum_cost_delay = 0,
      -- The table keeps its size, so that plans made while it is empty suit it when it is full.
      vacuum_truncate = false
    );
    -- A job claims the items of one topic of one tenant in one of eight parts.
    CREATE INDEX work_lanes ON work
      (priority, tenant_id, topic, (ascii(right(subject_id, 1)) % 8), due_at, subject_id) WHERE ready;
    CREATE INDEX work_waiting ON work ((greatest(due_at, held_until))) WHERE NOT ready;
    CREATE INDEX work_deadlines ON work (tenant_id, due_at, topic, subject_id)
      WHERE clock = 'tenant';
    -- A tenant's deadlines that wait for their instants are not read to find that none is ready.
    CREATE INDEX work_ready_deadlines ON work (tenant_id, due_at, topic, subject_id)
      WHERE ready AND clock = 'tenant';
    CREATE INDEX work_running_deadlines ON work (tenant_id)
      WHERE clock = 'tenant' AND lease IS NOT NULL;
    CREATE INDEX work_stuck ON work (tenant_id, topic, subject_id) WHERE attempts >= 10;
    CREATE INDEX work_failing ON work (tenant_id, topic, subject_id) WHERE last_error IS NOT NULL;

    -- One row, once a worker has run: when one last ran, by real time.
    CREATE TABLE worker_heartbeat (
      only_row  boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      beaten_at timestamptz NOT NULL
    );
  `)
    .execute(db)
}
