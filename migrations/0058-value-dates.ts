import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** From when what was received for a repayment counts; of those from before, the journal has it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE repayments ADD COLUMN value_at timestamptz').execute(db)
}
