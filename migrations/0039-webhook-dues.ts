import { type Kysely, sql } from 'kysely'

/**
 * One due instant for each webhook, so that the sweep reads what is due and not what is pending; and
 * indexes of the event log that cannot be taken for its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- due_at is never later than the earliest due_at of the webhook's deliveries. It may be earlier:
    -- then a worker comes, finds nothing and sets it right. Null: nothing is pending. In a table of
    -- its own because it is locked after the tenant's event counter, and the webhook before it.
    CREATE TABLE webhook_dues (
      tenant_id  text NOT NULL,
      webhook_id text NOT NULL,
      due_at     timestamptz,
      PRIMARY KEY (tenant_id, webhook_id),
      FOREIGN KEY (tenant_id, webhook_id) REFERENCES webhooks
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 2000);
    CREATE INDEX webhook_dues_due ON webhook_dues (due_at) WHERE due_at IS NOT NULL;
    INSERT INTO webhook_dues (tenant_id, webhook_id, due_at)
      SELECT tenant_id, webhook_id, 'epoch' FROM webhooks;

    -- While statistics are missing, as in the first minutes of a month, the planner takes any index
    -- that begins with the tenant for as good as the key. The predicates are true of every row and
    -- keep these indexes to the queries that name their column.
    DROP INDEX events_by_sequence;
    CREATE UNIQUE INDEX events_by_sequence ON events (tenant_id, sequence, recorded_at)
      WHERE sequence IS NOT NULL;
    DROP INDEX events_by_type;
    CREATE INDEX events_by_type ON events (tenant_id, type, sequence) WHERE type IS NOT NULL;
  `)
    .execute(db)
}
