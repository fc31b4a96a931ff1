import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** What a database on a Citus cluster states about itself. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    -- Builds that do not know a distributed name refuse the database as another stack's.
    ALTER TABLE stack DROP CONSTRAINT stack_name_check;
    ALTER TABLE stack ADD CONSTRAINT stack_name_check
      CHECK (name IN ('live', 'sandbox', 'distributed live', 'distributed sandbox'));

    -- Tenants of nodes that do not answer, and since when: a worker was there until then.
    CREATE TABLE absent_tenants (
      tenant_id text PRIMARY KEY,
      since     timestamptz NOT NULL
    )`)
    .execute(db)
}
