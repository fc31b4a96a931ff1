import { type Kysely, sql } from 'kysely'

/** The deliveries of events to webhooks, their attempts, and the lane of each webhook. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- How far a webhook's deliveries have come, and which worker attempts them. Only the holder of the
    -- lease writes it, or a transaction that has locked it; an event that is appended does not.
    CREATE TABLE lanes (
      tenant_id    text NOT NULL,
      webhook_id   text NOT NULL,
      -- Deliveries up to this number have been claimed: what has a higher one waits for its first attempt.
      seen         bigint NOT NULL,
      -- While no one holds the lane it is never later than the earliest due_at of its deliveries.
      retry_at     timestamptz,
      -- Attempts in a row that failed.
      failures     integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 100),
      -- Another worker may take the lane from then on.
      leased_until timestamptz,
      lease        uuid,
      -- Numbers that were claimed and are not recorded yet.
      in_flight    bigint[] NOT NULL DEFAULT '{}',
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
      CHECK ((lease IS NULL) = (leased_until IS NULL)),
      CHECK (lease IS NOT NULL OR in_flight = '{}')
    ) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);

    -- Deliveries and attempts are in the month of their event. No foreign key to webhooks: its check would
    -- lock the webhook for each delivery. They are made from webhooks that the same statement reads under
    -- the lock of the tenant's counter, and a webhook is purged only once it has none.
    CREATE TABLE deliveries (
      tenant_id       text NOT NULL,
      webhook_id      text NOT NULL,
      event_id        text NOT NULL,
      recorded_at     timestamptz NOT NULL,
      sequence        bigint NOT NULL,
      event_type      text NOT NULL,
      state           text NOT NULL
        CHECK (state IN ('pending', 'delivered', 'dead_lettered', 'cancelled')),
      -- Null while it waits for its first attempt, and once that has delivered it: it is found by its
      -- number. Else its state.
      listed_as       text,
      -- Attempts recorded so far; those of the schedule among them that failed.
      attempts        integer NOT NULL DEFAULT 0,
      failures        integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 6),
      next_attempt_at timestamptz,
      -- When a worker must take this row: the schedule, or a requested retry.
      due_at          timestamptz,
      retry_requested boolean NOT NULL DEFAULT false,
      changed_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, webhook_id, event_id, recorded_at),
      CONSTRAINT deliveries_next_attempt CHECK (state = 'pending' OR next_attempt_at IS NULL),
      CONSTRAINT deliveries_listed_as CHECK (
        CASE WHEN listed_as IS NULL THEN state IN ('pending', 'delivered') ELSE listed_as = state END)
    ) PARTITION BY RANGE (recorded_at);
    -- No column of these indexes changes when an ordinary delivery is recorded. Every type is at least '':
    -- that keeps the tenant's indexes to the queries that say so.
    CREATE INDEX deliveries_due ON deliveries (tenant_id, webhook_id, due_at)
      WHERE due_at IS NOT NULL;
    CREATE INDEX deliveries_ordinary ON deliveries (tenant_id, webhook_id, sequence)
      WHERE listed_as IS NULL;
    CREATE INDEX deliveries_listed ON deliveries (tenant_id, webhook_id, listed_as, sequence)
      WHERE listed_as IS NOT NULL;
    CREATE INDEX deliveries_of_tenant_ordinary ON deliveries (tenant_id, sequence, webhook_id)
      WHERE listed_as IS NULL AND event_type >= '';
    CREATE INDEX deliveries_of_tenant_listed
      ON deliveries (tenant_id, listed_as, sequence, webhook_id)
      WHERE listed_as IS NOT NULL AND event_type >= '';

    CREATE TABLE delivery_attempts (
      tenant_id        text NOT NULL,
      webhook_id       text NOT NULL,
      event_id         text NOT NULL,
      recorded_at      timestamptz NOT NULL,
      number           integer NOT NULL CHECK (number > 0),
      started_at       timestamptz NOT NULL,
      status           smallint,
      error            text,
      duration_ms      integer NOT NULL,
      response_excerpt text NOT NULL,
      requested        boolean NOT NULL,
      written_at       timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, webhook_id, event_id, number, recorded_at),
      CHECK (status IS NOT NULL OR error IS NOT NULL)
    ) PARTITION BY RANGE (recorded_at);
    -- Only for queries that name the instant, so that it is not taken for the key of an attempt.
    CREATE INDEX delivery_attempts_by_start
      ON delivery_attempts (tenant_id, webhook_id, started_at) WHERE started_at IS NOT NULL;
  `)
    .execute(db)
}
