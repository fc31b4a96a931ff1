import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Earlier releases sent some types only to webhooks that name them: up to this number a webhook without
 * types may lack those. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE tenant_counters ADD every_event_after bigint NOT NULL DEFAULT 0;
    UPDATE tenant_counters SET every_event_after = last_sequence;`)
    .execute(db)
}
