import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What an API key does that the tenant's record of acts keeps. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Null in both: the operator.
    ALTER TABLE console_actions ADD COLUMN key_id text,
      ADD CHECK (person_id IS NULL OR key_id IS NULL),
      ADD FOREIGN KEY (tenant_id, key_id) REFERENCES api_keys`)
    .execute(db)
}
