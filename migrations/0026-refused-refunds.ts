import { type Kysely, sql } from 'kysely'

/** Finds the refunds that are owed though their payment was refused; there should be none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    CREATE INDEX refunds_refused ON refunds (tenant_id, created_at)
      WHERE status = 'PENDING' AND refusals > 0;
  `)
    .execute(db)
}
