import { type Kysely, sql } from 'kysely'

/** What the purges go by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Real time: ready_at is the tenant's own, which may be years ahead.
    ALTER TABLE sandbox_calls ADD COLUMN called_at timestamptz NOT NULL DEFAULT now();
    CREATE INDEX sandbox_calls_by_age ON sandbox_calls (called_at);
    CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;
  `)
    .execute(db)
}
