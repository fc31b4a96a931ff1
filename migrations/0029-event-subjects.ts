import { type Kysely, sql } from 'kysely'

/**
 * Whose event it is, so that the log can be read by facility and by borrower. The borrower of an
 * event that names only its facility is the facility's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE events ADD COLUMN facility_id text, ADD COLUMN borrower_id text;
    UPDATE events e SET
      facility_id = body::jsonb #>> '{data,facility_id}',
      borrower_id = coalesce(body::jsonb #>> '{data,borrower_id}', (
        SELECT f.borrower_id FROM facilities f
        WHERE f.tenant_id = e.tenant_id AND f.facility_id = e.body::jsonb #>> '{data,facility_id}'));
    -- Only for queries that name the column, so none is taken for the key of an event.
    CREATE INDEX events_by_resource ON events (tenant_id, resource_id, sequence)
      WHERE resource_id IS NOT NULL;
    CREATE INDEX events_by_facility ON events (tenant_id, facility_id, sequence)
      WHERE facility_id IS NOT NULL;
    CREATE INDEX events_by_borrower ON events (tenant_id, borrower_id, sequence)
      WHERE borrower_id IS NOT NULL;
    CREATE INDEX borrowers_by_eligible ON borrowers (tenant_id, eligible, borrower_id);
  `)
    .execute(db)
}
