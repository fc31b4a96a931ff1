import { type Kysely, sql } from 'kysely'

/** The treasury is asked about a repayment under a number that rises with each refusal. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE repayments ADD COLUMN inquiry integer NOT NULL DEFAULT 0`.execute(db)
}
