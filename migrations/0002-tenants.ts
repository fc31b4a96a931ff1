import { type Kysely, sql } from 'kysely'

/**
 * Tenants and their keys.
 *
 * Every primary, unique and foreign key of a tenant's table leads with tenant_id, so that the tables
 * can be sharded by tenant. Domain times are written by the application and never default to now().
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE tenants (
      tenant_id         text PRIMARY KEY,
      name              text NOT NULL CHECK (name <> ''),
      clock_offset_ms   bigint NOT NULL DEFAULT 0 CHECK (clock_offset_ms >= 0),
      created_at        timestamptz NOT NULL,
      -- While a tenant is suspended, it reads and does not write.
      suspended_at      timestamptz,
      suspension_reason text,
      closed_at         timestamptz,
      -- The tenant's last event that a complete export holds.
      exported_sequence bigint,
      CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL)),
      -- A closed tenant stays suspended for good, and was exported before.
      CONSTRAINT tenants_closed
        CHECK (closed_at IS NULL OR (suspended_at IS NOT NULL AND exported_sequence IS NOT NULL))
    );
    CREATE INDEX tenants_ahead ON tenants (tenant_id) WHERE clock_offset_ms > 0;

    -- A row of its own, because it is the last and the busiest lock of every transaction that
    -- appends an event.
    CREATE TABLE tenant_counters (
      tenant_id        text PRIMARY KEY REFERENCES tenants,
      last_sequence    bigint NOT NULL DEFAULT 0 CHECK (last_sequence >= 0),
      last_hash        bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex')
        CHECK (octet_length(last_hash) = 32),
      -- recorded_at of the last event: never later than that of the next.
      last_recorded_at timestamptz
    );

    -- Which tenants there are, in one place: read where tenants are spread over nodes, one of which may
    -- be away. The command that distributes fills it.
    CREATE TABLE tenant_list (tenant_id text PRIMARY KEY);

    -- Tenants of nodes that do not answer, and since when: a worker was there until then.
    CREATE TABLE absent_tenants (
      tenant_id text PRIMARY KEY,
      since     timestamptz NOT NULL
    );

    CREATE TABLE api_keys (
      tenant_id        text NOT NULL REFERENCES tenants,
      key_id           text NOT NULL,
      public_key       bytea NOT NULL CHECK (length(public_key) = 32),
      label            text NOT NULL,
      scopes           text[] NOT NULL CHECK (cardinality(scopes) > 0),
      created_at       timestamptz NOT NULL,
      expires_at       timestamptz,
      revoked_at       timestamptz,
      -- Written at most once a minute.
      last_used_at     timestamptz,
      -- When the tenant was last warned that the key expires.
      expiry_warned_at timestamptz,
      PRIMARY KEY (tenant_id, key_id)
    );
    CREATE INDEX api_keys_expiring ON api_keys (expires_at)
      WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

    -- A request names its key alone: the tenant of every key, in one place.
    CREATE TABLE api_key_owners (
      key_id    text PRIMARY KEY,
      tenant_id text NOT NULL
    );
  `)
    .execute(db)
}
