import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Who of the console is written to when a webhook fails. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`ALTER TABLE console_people ADD COLUMN failure_mails boolean NOT NULL DEFAULT false`)
    .execute(db)
}
