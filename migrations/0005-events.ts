import { type Kysely, sql } from 'kysely'

/** The event log: events of a tenant without a gap, each with the hash of the one before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- No foreign keys to tenants here: their checks would lock the tenant for each event. Its counter,
    -- which every event locks, refers to it.
    CREATE TABLE resource_versions (
      tenant_id     text NOT NULL,
      resource_type text NOT NULL,
      resource_id   text NOT NULL,
      version       bigint NOT NULL CHECK (version > 0),
      PRIMARY KEY (tenant_id, resource_type, resource_id)
    );

    -- Partitioned by the real month of the event. An event id carries that instant, so a row is found
    -- by its id in one partition.
    CREATE TABLE events (
      tenant_id        text NOT NULL,
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
      -- A W3C traceparent: the span that wrote the event. Null where traces are off.
      traceparent      text,
      facility_id      text,
      borrower_id      text,
      previous_hash    bytea NOT NULL,
      hash             bytea NOT NULL,
      -- Journal entries and margin decisions that the event binds, each as record_of writes it.
      records          text[],
      written_at       timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (tenant_id, event_id, recorded_at)
    ) PARTITION BY RANGE (recorded_at);

    -- While statistics are missing, as in the first minutes of a month, the planner takes any index
    -- that begins with the tenant for as good as the key. These predicates are true of every row that
    -- has the column, and keep each index to the queries that name it.
    CREATE INDEX events_by_resource ON events (tenant_id, resource_id, sequence)
      WHERE resource_id IS NOT NULL;
    CREATE INDEX events_by_facility ON events (tenant_id, facility_id, sequence)
      WHERE facility_id IS NOT NULL;
    CREATE INDEX events_by_borrower ON events (tenant_id, borrower_id, sequence)
      WHERE borrower_id IS NOT NULL;
    CREATE UNIQUE INDEX events_by_sequence ON events (tenant_id, sequence, recorded_at)
      WHERE sequence IS NOT NULL;
    CREATE INDEX events_by_type ON events (tenant_id, type, sequence) WHERE type IS NOT NULL;

    -- The last event of a tenant that was dropped with its month: the next one follows its hash.
    CREATE TABLE event_anchors (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      sequence  bigint NOT NULL CHECK (sequence > 0),
      hash      bytea NOT NULL CHECK (octet_length(hash) = 32)
    );

    -- hash = SHA-256(previous hash, sequence as 8 bytes, SHA-256(body)).
    CREATE FUNCTION event_hash(previous_hash bytea, sequence bigint, body text) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN sha256(previous_hash || int8send(sequence) || sha256(convert_to(body, 'UTF8')));

    -- The hash of each event of a list: event_hash over the one before it, and over "first" at the start.
    CREATE FUNCTION event_chain_step(last bytea, first bytea, sequence bigint, body text) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN event_hash(coalesce(last, first), sequence, body);

    CREATE AGGREGATE event_chain(first bytea, sequence bigint, body text) (
      SFUNC = event_chain_step, STYPE = bytea
    );

    -- An id with another date: its first ten characters are the milliseconds since 1970, in base 32.
    CREATE FUNCTION dated_id(id text, at timestamptz) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN split_part(id, '_', 1) || '_' || (
      SELECT string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
        1 + (((extract(epoch FROM at) * 1000)::bigint >> (45 - 5 * place)) & 31)::integer, 1), ''
        ORDER BY place)
      FROM generate_series(0, 9) AS place
    ) || substr(split_part(id, '_', 2), 11);
  `)
    .execute(db)
}
