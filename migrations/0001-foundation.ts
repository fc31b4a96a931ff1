import { type Kysely, sql } from 'kysely'

/**
 * Tenants, keys, idempotency, the event log with its deliveries, and onboarding.
 *
 * Every primary key, unique key and foreign key leads with tenant_id (the residency policy, which
 * belongs to the operator, is the one reference table), so the tables can be sharded by tenant.
 * There are no triggers. Domain times are written by the application and never default to now().
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE tenants (
      tenant_id       text PRIMARY KEY,
      name            text NOT NULL CHECK (name <> ''),
      clock_offset_ms bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0),
      created_at      timestamptz NOT NULL
    );

    -- The last event number of each tenant. A row of its own, because it is the last and the
    -- busiest lock of every transaction that reports something.
    CREATE TABLE tenant_counters (
      tenant_id     text PRIMARY KEY REFERENCES tenants,
      last_sequence bigint NOT NULL DEFAULT 0 CHECK (last_sequence >= 0)
    );

    CREATE TABLE api_keys (
      tenant_id  text NOT NULL REFERENCES tenants,
      key_id     text NOT NULL,
      public_key bytea NOT NULL CHECK (length(public_key) = 32),
      label      text NOT NULL,
      scopes     text[] NOT NULL CHECK (cardinality(scopes) > 0),
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      PRIMARY KEY (tenant_id, key_id)
    );
    -- A request names its key alone; the tenant follows from it.
    CREATE INDEX api_keys_by_id ON api_keys (key_id);

    CREATE TABLE idempotency_records (
      tenant_id   text NOT NULL REFERENCES tenants,
      key         uuid NOT NULL,
      fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
      status      smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
      body        text NOT NULL,
      -- Set where the body is sealed because it holds a signing secret: that secret's id.
      secret_id   text,
      recorded_at timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, key)
    );
    CREATE INDEX idempotency_records_by_age ON idempotency_records (recorded_at);

    -- Work that a job has yet to do, committed with the change that asks for it. Redis only wakes.
    CREATE TABLE outbox (
      tenant_id  text NOT NULL REFERENCES tenants,
      topic      text NOT NULL,
      subject_id text NOT NULL,
      due_at     timestamptz NOT NULL,
      -- Rises with each request, so that a request made while the job runs is not lost.
      generation bigint NOT NULL DEFAULT 1,
      attempts   integer NOT NULL DEFAULT 0,
      lease      uuid,
      last_error text,
      PRIMARY KEY (tenant_id, topic, subject_id)
    );
    CREATE INDEX outbox_due ON outbox (due_at);

    CREATE TABLE resource_versions (
      tenant_id     text NOT NULL REFERENCES tenants,
      resource_type text NOT NULL,
      resource_id   text NOT NULL,
      version       bigint NOT NULL CHECK (version > 0),
      PRIMARY KEY (tenant_id, resource_type, resource_id)
    );

    CREATE TABLE signing_secrets (
      tenant_id  text PRIMARY KEY REFERENCES tenants,
      secret_id  text NOT NULL,
      sealed     text NOT NULL,
      created_at timestamptz NOT NULL
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
      PRIMARY KEY (tenant_id, webhook_id)
    );

    -- Events, deliveries and attempts are partitioned by the real month of the event. An event id
    -- carries that instant, so a row is found by id within its one partition.
    CREATE TABLE events (
      tenant_id        text NOT NULL REFERENCES tenants,
      event_id         text NOT NULL,
      sequence         bigint NOT NULL CHECK (sequence > 0),
      type             text NOT NULL,
      resource_type    text NOT NULL,
      resource_id      text NOT NULL,
      resource_version bigint NOT NULL,
      occurred_at      timestamptz NOT NULL,
      recorded_at      timestamptz NOT NULL,
      -- The very bytes that every delivery posts.
      body             text NOT NULL,
      PRIMARY KEY (tenant_id, event_id, recorded_at)
    ) PARTITION BY RANGE (recorded_at);
    CREATE UNIQUE INDEX events_by_sequence ON events (tenant_id, sequence, recorded_at);
    CREATE INDEX events_by_type ON events (tenant_id, type, sequence);

    CREATE TABLE deliveries (
      tenant_id        text NOT NULL,
      webhook_id       text NOT NULL,
      event_id         text NOT NULL,
      recorded_at      timestamptz NOT NULL,
      sequence         bigint NOT NULL,
      event_type       text NOT NULL,
      state            text NOT NULL
        CHECK (state IN ('pending', 'delivered', 'dead_lettered', 'cancelled')),
      -- Attempts recorded so far; those of the schedule among them that failed.
      attempts         integer NOT NULL DEFAULT 0,
      failures         integer NOT NULL DEFAULT 0 CHECK (failures BETWEEN 0 AND 6),
      -- When the schedule asks for the next attempt.
      next_attempt_at  timestamptz,
      -- When a worker must look at this row: the schedule, a requested retry, or a lease's end.
      due_at           timestamptz,
      retry_requested  boolean NOT NULL DEFAULT false,
      lease            uuid,
      PRIMARY KEY (tenant_id, webhook_id, event_id, recorded_at),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks,
      CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
      CHECK (state <> 'pending' OR due_at IS NOT NULL)
    ) PARTITION BY RANGE (recorded_at);
    CREATE INDEX deliveries_due ON deliveries (tenant_id, webhook_id, due_at)
      WHERE due_at IS NOT NULL;
    CREATE INDEX deliveries_by_state ON deliveries (tenant_id, webhook_id, state, sequence);

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
      PRIMARY KEY (tenant_id, webhook_id, event_id, number, recorded_at),
      CHECK (status IS NOT NULL OR error IS NOT NULL)
    ) PARTITION BY RANGE (recorded_at);

    -- Makes the partitions of this month and the following ones, and drops those that ended before
    -- the retention limit. Runs with its owner's rights: the service's own role needs no DDL.
    CREATE FUNCTION maintain_partitions(today timestamptz, months_ahead integer, keep_after timestamptz)
    RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
    DECLARE
      base text;
      month timestamp;
      old record;
    BEGIN
      -- Several workers may come at once.
      PERFORM pg_advisory_xact_lock(hashtextextended('maintain_partitions', 0));
      FOREACH base IN ARRAY ARRAY['events', 'deliveries', 'delivery_attempts'] LOOP
        FOR i IN -1..months_ahead LOOP
          month := date_trunc('month', today AT TIME ZONE 'UTC') + make_interval(months => i);
          EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            base || to_char(month, '_YYYY_MM'), base,
            to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00',
            to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00');
        END LOOP;
        FOR old IN
          SELECT child.relname FROM pg_inherits
          JOIN pg_class child ON child.oid = inhrelid
          WHERE inhparent = format('%I', base)::regclass
            AND (to_timestamp(right(child.relname, 7) || '_01 +00', 'YYYY_MM_DD TZH')
                 + interval '1 month') <= keep_after
        LOOP
          EXECUTE format('DROP TABLE %I', old.relname);
        END LOOP;
      END LOOP;
    END $$;

    CREATE TABLE documents (
      tenant_id        text NOT NULL REFERENCES tenants,
      contract_type    text NOT NULL,
      contract_version text NOT NULL CHECK (contract_version ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
      title            text NOT NULL,
      download_url     text NOT NULL CHECK (download_url LIKE 'https://%'),
      content_type     text NOT NULL,
      published_at     timestamptz NOT NULL,
      superseded_at    timestamptz,
      retired_at       timestamptz,
      PRIMARY KEY (tenant_id, contract_type, contract_version)
    );
    CREATE UNIQUE INDEX documents_current ON documents (tenant_id, contract_type)
      WHERE superseded_at IS NULL AND retired_at IS NULL;

    -- Whom the operator lends to: default deny. An empty state stands for the whole country.
    CREATE TABLE residency_policy (
      country         text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
      state           text NOT NULL DEFAULT '',
      borrower_type   text NOT NULL CHECK (borrower_type IN ('individual', 'business')),
      allowed         boolean NOT NULL,
      rate_ppm        integer CHECK (rate_ppm BETWEEN 0 AND 1000000),
      max_limit_cents numeric CHECK (max_limit_cents > 0 AND max_limit_cents < 1e20),
      updated_at      timestamptz NOT NULL,
      PRIMARY KEY (country, state, borrower_type)
    );

    CREATE TABLE borrowers (
      tenant_id         text NOT NULL REFERENCES tenants,
      borrower_id       text NOT NULL,
      type              text NOT NULL CHECK (type IN ('individual', 'business')),
      kyc_attested      boolean NOT NULL,
      residency_country text NOT NULL,
      residency_state   text,
      eligible          boolean NOT NULL DEFAULT false,
      blocked_at        timestamptz,
      blocked_reason    text,
      created_at        timestamptz NOT NULL,
      updated_at        timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, borrower_id)
    );

    CREATE TABLE signatures (
      tenant_id        text NOT NULL,
      signature_id     text NOT NULL,
      borrower_id      text NOT NULL,
      -- Counts from 1 a borrower, under the borrower's lock: the order in which they were recorded.
      number           integer NOT NULL CHECK (number > 0),
      full_name        text NOT NULL,
      email            text NOT NULL,
      ip_address       text NOT NULL,
      signed_at        timestamptz NOT NULL,
      contract_type    text NOT NULL,
      contract_version text NOT NULL,
      recorded_at      timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, signature_id),
      UNIQUE (tenant_id, borrower_id, number),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      FOREIGN KEY (tenant_id, contract_type, contract_version) REFERENCES documents
    );

    CREATE TABLE compliance_checks (
      tenant_id   text NOT NULL,
      check_id    text NOT NULL,
      borrower_id text NOT NULL,
      kind        text NOT NULL CHECK (kind IN ('kyc', 'kyb', 'aml')),
      -- Whose data the check was asked with; AML is asked once for each name that signed.
      signature_id text NOT NULL,
      subject     text NOT NULL,
      status      text NOT NULL CHECK (status IN ('pending', 'review', 'passed', 'failed')),
      reference   text,
      note        text,
      created_at  timestamptz NOT NULL,
      decided_at  timestamptz,
      PRIMARY KEY (tenant_id, check_id),
      UNIQUE (tenant_id, borrower_id, kind, subject),
      FOREIGN KEY (tenant_id, borrower_id) REFERENCES borrowers,
      FOREIGN KEY (tenant_id, signature_id) REFERENCES signatures,
      CHECK ((status IN ('passed', 'failed')) = (decided_at IS NOT NULL))
    );
  `)
    .execute(db)
}
