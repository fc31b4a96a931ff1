import { type Kysely, sql } from 'kysely'

/** The answers to repeated requests, and the log of the requests of tenants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE idempotency_records (
      tenant_id   text NOT NULL REFERENCES tenants,
      key         uuid NOT NULL,
      fingerprint bytea NOT NULL CHECK (length(fingerprint) = 32),
      status      smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
      body        text NOT NULL,
      -- Set where the body is encrypted because it holds a signing secret: the secret's id.
      secret_id   text,
      recorded_at timestamptz NOT NULL,
      written_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, key)
    );
    CREATE INDEX idempotency_records_by_age ON idempotency_records (recorded_at);
    CREATE INDEX idempotency_records_with_secret ON idempotency_records (tenant_id, key)
      WHERE secret_id IS NOT NULL;
    CREATE INDEX idempotency_records_by_creation ON idempotency_records
      (tenant_id, (CASE WHEN body IS JSON OBJECT THEN body::jsonb ->> 'id' END))
      WHERE status = 201 AND secret_id IS NULL;

    -- Partitioned by day. A request id carries its instant, so a row is found by its id in one
    -- partition, and ids are in the order of time. No foreign key: the rows are written in batches,
    -- and each would be checked by itself.
    CREATE TABLE request_log (
      tenant_id       text NOT NULL,
      request_id      text NOT NULL COLLATE "C",
      received_at     timestamptz NOT NULL,
      method          text NOT NULL,
      route           text NOT NULL,
      -- Without its query.
      path            text NOT NULL,
      status          smallint NOT NULL,
      code            text,
      -- Of a signed request the key, of one in the console the person.
      key_id          text,
      person_id       text,
      duration_us     integer NOT NULL,
      idempotency_key text,
      resource_id     text,
      -- Of the query what may be shown; of a refusal its answer and what was sent.
      details         json,
      PRIMARY KEY (tenant_id, request_id, received_at)
    ) PARTITION BY RANGE (received_at);
    CREATE INDEX request_log_by_resource ON request_log
      (tenant_id, resource_id, request_id) WHERE resource_id IS NOT NULL;
    CREATE INDEX request_log_by_code ON request_log (tenant_id, code, request_id)
      WHERE code IS NOT NULL;
    CREATE INDEX request_log_refused ON request_log (tenant_id, request_id)
      WHERE status >= 400;
  `)
    .execute(db)
}
