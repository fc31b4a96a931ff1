import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Each draw asks what its borrower owes of debt that was charged off; few facilities end so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX facilities_charged_off ON facilities (tenant_id, borrower_id)
    WHERE close_reason = 'charged_off'`.execute(db)
}
