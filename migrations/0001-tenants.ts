import { type Kysely, sql } from 'kysely'

/**
 * Tenants, their keys and the answers to their requests.
 *
 * Every primary, unique and foreign key of a tenant's table leads with tenant_id, so that the tables
 * can be sharded by tenant. Domain times are written by the application and never default to now().
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
    CREATE INDEX tenants_ahead ON tenants (tenant_id) WHERE clock_offset_ms > 0;

    -- A row of its own, because it is the last and the busiest lock of every transaction that
    -- appends an event.
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
      -- Set where the body is encrypted because it holds a signing secret: the secret's id.
      secret_id   text,
      recorded_at timestamptz NOT NULL,
      written_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, key)
    );
    CREATE INDEX idempotency_records_by_age ON idempotency_records (recorded_at);
    CREATE INDEX idempotency_records_with_secret ON idempotency_records (tenant_id, key)
      WHERE secret_id IS NOT NULL;
  `)
    .execute(db)
}
