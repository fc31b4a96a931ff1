import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Recoveries of what webhooks have missed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- One at a time for each webhook, deleted at its end. Deliveries of a phase are looked through in
    -- the order of their events; a step moves after_sequence.
    CREATE TABLE webhook_recoveries (
      tenant_id       text NOT NULL,
      webhook_id      text NOT NULL,
      -- The webhook that missed the events; null: this one.
      from_webhook_id text,
      since           timestamptz NOT NULL,
      phase           text NOT NULL
        CHECK (phase IN ('dead_lettered', 'cancelled', 'pending', 'log')),
      first_sequence  bigint NOT NULL,
      after_sequence  bigint NOT NULL,
      until_sequence  bigint NOT NULL,
      requested_at    timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks ON DELETE CASCADE,
      CHECK ((phase = 'log') = (from_webhook_id IS NOT NULL))
    );

    -- Events after this number may be recovered for another webhook: earlier ones than its own.
    ALTER TABLE webhooks ADD COLUMN recovered_sequence bigint;
  `)
    .execute(db)
}
