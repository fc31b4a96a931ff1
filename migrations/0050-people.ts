import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Tenants' people confirm acts as operators do. Earlier builds name the act by its purpose. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE console_challenges DROP CONSTRAINT console_challenges_purpose_check,
      ADD CONSTRAINT console_challenges_purpose_check
        CHECK (purpose IN ('sign_in', 'add_passkey', 'revoke_key', 'confirm'))`)
    .execute(db)
}
