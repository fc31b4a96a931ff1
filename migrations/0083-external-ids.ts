import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** The tenant's own ids of borrowers and facilities. Operators search them over all tenants, by the
 * indexes that begin with the id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE borrowers ADD COLUMN external_id text CHECK (external_id ~ '^[ -~]{1,100}$');
    ALTER TABLE facilities ADD COLUMN external_id text CHECK (external_id ~ '^[ -~]{1,100}$');
    CREATE UNIQUE INDEX borrowers_external_id ON borrowers (tenant_id, external_id)
      WHERE external_id IS NOT NULL;
    CREATE INDEX borrowers_by_external_id ON borrowers (external_id) WHERE external_id IS NOT NULL;
    -- An application that led to no loan leaves its id free.
    CREATE UNIQUE INDEX facilities_external_id ON facilities (tenant_id, external_id)
      WHERE external_id IS NOT NULL AND state <> 'DECLINED'
        AND close_reason IS DISTINCT FROM 'cancelled';
    CREATE INDEX facilities_by_external_id ON facilities (external_id, tenant_id, facility_id)
      WHERE external_id IS NOT NULL;
  `)
    .execute(db)
}
