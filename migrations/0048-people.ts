import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Of addresses of people A–Z alone are folded: `lower` folds by the server's locale. The record of who
 * made a key is found by the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE console_people DROP CONSTRAINT console_people_email_check,
      ADD CONSTRAINT console_people_email_check
        CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]');
    ALTER TABLE operators DROP CONSTRAINT operators_email_check,
      ADD CONSTRAINT operators_email_check
        CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]');
    CREATE INDEX console_actions_of_made_keys ON console_actions (tenant_id, subject, person_id)
      WHERE action = 'createKey';
  `)
    .execute(db)
}
