import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The custodian's last answer outlives the push that it was about; questions that nothing waits
 * for; and the instant of a tenant's last event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE portfolios
      -- Since when (domain time) these positions are pushed: an answer from before is about others.
      -- Null: since before this was recorded; any answer is about them.
      ADD COLUMN changed_at timestamptz,
      -- Of each asset the least that was pushed since an answer, where the last push has more.
      ADD COLUMN least jsonb,
      -- Since when (domain time) the custodian is asked though nothing waits for the answer.
      ADD COLUMN checking_since timestamptz;

    ALTER TABLE tenant_counters
      -- recorded_at of the last event: never later than that of the next.
      ADD COLUMN last_recorded_at timestamptz`)
    .execute(db)
}
