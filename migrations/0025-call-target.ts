import { type Kysely, sql } from 'kysely'

/** The loan-to-value that a margin call sells down to, as its beginning has told it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Null of a call that has not begun to sell, and of those of releases before.
    ALTER TABLE margin_calls ADD COLUMN target_ltv_ppm numeric
      CHECK (target_ltv_ppm > 0 AND target_ltv_ppm < 1000000);
  `)
    .execute(db)
}
