import { type Kysely, sql } from 'kysely'

/** The event log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE resource_versions (
      tenant_id     text NOT NULL REFERENCES tenants,
      resource_type text NOT NULL,
      resource_id   text NOT NULL,
      version       bigint NOT NULL CHECK (version > 0),
      PRIMARY KEY (tenant_id, resource_type, resource_id)
    );

    -- Partitioned by the real month of the event. An event id carries that instant, so a row is found
    -- by its id in one partition.
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
      -- A W3C traceparent: the span that wrote the event. Null where traces are off.
      traceparent      text,
      facility_id      text,
      borrower_id      text,
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
  `)
    .execute(db)
}
