import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Of addresses of people A–Z alone are folded. `lower` folds by the server's locale. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE console_people DROP CONSTRAINT console_people_email_check,
      ADD CONSTRAINT console_people_email_check
        CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]');
    ALTER TABLE operators DROP CONSTRAINT operators_email_check,
      ADD CONSTRAINT operators_email_check
        CHECK (email <> '' AND email COLLATE "C" !~ '[A-Z]');
  `)
    .execute(db)
}
