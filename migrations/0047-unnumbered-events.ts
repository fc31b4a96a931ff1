import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Events that are written with their change and have no number yet. A row is here for some
 * milliseconds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE TABLE unnumbered_events (
      tenant_id        text NOT NULL,
      entry_id         uuid NOT NULL,
      -- In this order they are numbered: by when they were written, then by their place in one call.
      made_at          timestamptz NOT NULL DEFAULT clock_timestamp(),
      place            integer NOT NULL,
      type             text NOT NULL,
      resource_type    text NOT NULL,
      resource_id      text NOT NULL,
      resource_version bigint NOT NULL,
      facility_id      text,
      borrower_id      text,
      occurred_at      timestamptz NOT NULL,
      data             text NOT NULL,
      records          text[],
      traceparent      text,
      PRIMARY KEY (tenant_id, entry_id)
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
            autovacuum_vacuum_cost_delay = 0)`)
    .execute(db)
}
