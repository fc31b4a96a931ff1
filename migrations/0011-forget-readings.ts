import { type Kysely, sql } from 'kysely'

/** What the custodian said of a borrower is kept while a facility lasts, and not for the next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    DELETE FROM custodian_positions c WHERE NOT EXISTS (
      SELECT FROM facilities f WHERE f.tenant_id = c.tenant_id AND f.borrower_id = c.borrower_id
        AND f.state = 'APPROVED')
  `.execute(db)
}
