import { type Kysely, sql } from 'kysely'

/** No foreign-key check locks a tenant or a webhook for each event and each delivery. The tenant's
 * counter, which every event locks, refers to the tenant; deliveries are made from webhooks that the
 * same statement reads under that lock, and a webhook is purged only once it has none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE resource_versions DROP CONSTRAINT resource_versions_tenant_id_fkey;
    ALTER TABLE events DROP CONSTRAINT events_tenant_id_fkey;
    ALTER TABLE deliveries DROP CONSTRAINT deliveries_tenant_id_webhook_id_fkey;
  `)
    .execute(db)
}
