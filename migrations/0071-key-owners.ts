import { type Kysely, sql } from 'kysely'

/** An older build registers a key without its owner, and the key would not be found. */
export const oldestBuild = '0041-shardable'

/** Every key has its owner, by which it is found from now on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    INSERT INTO api_key_owners (key_id, tenant_id) SELECT key_id, tenant_id FROM api_keys
    ON CONFLICT DO NOTHING`.execute(db)
}
