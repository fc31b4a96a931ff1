import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** A lane for each webhook that was there before, behind what waits for its first attempt. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    INSERT INTO lanes (tenant_id, webhook_id, seen, retry_at, failures)
    SELECT w.tenant_id, w.webhook_id, coalesce((
        SELECT d.sequence - 1 FROM deliveries d
        WHERE d.tenant_id = w.tenant_id AND d.webhook_id = w.webhook_id
          AND d.state = 'pending' AND d.listed_as IS NULL
        ORDER BY d.sequence LIMIT 1), c.last_sequence),
      now(), w.consecutive_failed_attempts
    FROM webhooks w JOIN tenant_counters c ON c.tenant_id = w.tenant_id
    ON CONFLICT (tenant_id, webhook_id) DO NOTHING;

    ALTER TABLE deliveries ADD CONSTRAINT deliveries_listed_as CHECK (
      CASE WHEN listed_as IS NULL THEN state IN ('pending', 'delivered') ELSE listed_as = state END
    ) NOT VALID;

    -- Their columns change with each delivery.
    DROP INDEX deliveries_by_state, deliveries_of_tenant;`)
    .execute(db)
}
