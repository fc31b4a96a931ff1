import { type Kysely, sql } from 'kysely'

/** How far the audit has recomputed decisions, and the order in which it goes through them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Every decision that was written before this has been recomputed and holds. Null: none has.
    ALTER TABLE audits ADD COLUMN decisions_until timestamptz;
    DROP INDEX margin_decisions_written;
    CREATE INDEX margin_decisions_written
      ON margin_decisions (written_at, tenant_id, facility_id, warning_number, number);
  `)
    .execute(db)
}
