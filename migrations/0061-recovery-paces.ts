import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** How fast recoveries may go to a host. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- A row for each host that a tenant's recoveries have gone to, whichever webhooks name it. Until the
    -- host has answered one of them with 2xx, the next begins at next_at. The delivery that was asked for
    -- last stays here until its attempt has ended.
    CREATE TABLE recovery_paces (
      tenant_id   text NOT NULL REFERENCES tenants,
      host        text NOT NULL CHECK (host <> ''),
      answered_at timestamptz,
      next_at     timestamptz NOT NULL,
      webhook_id  text,
      event_id    text,
      recorded_at timestamptz,
      forget_at   timestamptz NOT NULL,
      PRIMARY KEY (tenant_id, host),
      CHECK (num_nulls(webhook_id, event_id, recorded_at) IN (0, 3)),
      CHECK (answered_at IS NULL OR event_id IS NULL)
    );
    CREATE INDEX recovery_paces_by_age ON recovery_paces (forget_at);
  `)
    .execute(db)
}
