import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Remembers when a tenant was last warned that a key expires. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE api_keys ADD COLUMN expiry_warned_at timestamptz;
    CREATE INDEX api_keys_expiring ON api_keys (expires_at)
      WHERE revoked_at IS NULL AND expires_at IS NOT NULL`)
    .execute(db)
}
