import { type Kysely, sql } from 'kysely'

/** Webhooks, their signing secrets, and the deliveries of events to them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE signing_secrets (
      tenant_id  text PRIMARY KEY REFERENCES tenants,
      secret_id  text NOT NULL,
      sealed     text NOT NULL,
      created_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE webhooks (
      tenant_id                   text NOT NULL REFERENCES tenants,
      webhook_id                  text NOT NULL,
      url                         text NOT NULL,
      event_types                 text[] NOT NULL,
      label                       text,
      state                       text NOT NULL CHECK (state IN ('active', 'disabled', 'deleted')),
      consecutive_failed_attempts integer NOT NULL DEFAULT 0
        CHECK (consecutive_failed_attempts BETWEEN 0 AND 100),
      -- The tenant's last event number at registration: replay begins after it.
      registered_sequence         bigint NOT NULL,
      created_at                  timestamptz NOT NULL,
      disabled_at                 timestamptz,
      deleted_at                  timestamptz,
      changed_at                  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, webhook_id)
    );
    CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE INDEX webhooks_registered ON webhooks (tenant_id, webhook_id) WHERE state <> 'deleted';

    -- due_at is never later than the earliest due_at of the webhook's deliveries. It may be earlier:
    -- a worker then finds nothing due and corrects it. Null: nothing is pending. In a table of its own
    -- because it is locked after the tenant's event counter, and the webhook before it.
    CREATE TABLE webhook_dues (
      tenant_id  text NOT NULL,
      webhook_id text NOT NULL,
      due_at     timestamptz,
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
    CREATE INDEX webhook_dues_due ON webhook_dues (due_at) WHERE due_at IS NOT NULL;

    -- Deliveries and attempts are in the month of their event.
    CREATE TABLE deliveries (
      tenant_id       text NOT NULL,
      webhook_id      text NOT NULL,
      event_id        text NOT NULL,
      recorded_at     timestamptz NOT NULL,
      sequence        bigint NOT NULL,
      event_type      text NOT NULL,
      state           text NOT NULL
        CHECK (state IN ('pending', 'delivered', 'dead_lettered', 'cancelled')),
      -- Attempts recorded so far; those of the schedule among them that failed.
      attempts        integer NOT NULL DEFAULT 0,
      failures        integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 6),
      next_attempt_at timestamptz,
      -- When a worker must take this row: the schedule, a requested retry, or a lease's end.
      due_at          timestamptz,
      retry_requested boolean NOT NULL DEFAULT false,
      lease           uuid,
      changed_at      timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, webhook_id, event_id, recorded_at),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks,
      CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
      CHECK (state <> 'pending' OR due_at IS NOT NULL)
    ) PARTITION BY RANGE (recorded_at);
    CREATE INDEX deliveries_due ON deliveries (tenant_id, webhook_id, due_at)
      WHERE due_at IS NOT NULL;
    -- The predicate is true of every row: it keeps the planner from taking this index for the key
    -- while statistics are missing, and reading all deliveries of a webhook for each one.
    CREATE INDEX deliveries_by_state ON deliveries (tenant_id, webhook_id, state, sequence)
      WHERE state IS NOT NULL;

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
  `)
    .execute(db)
}
