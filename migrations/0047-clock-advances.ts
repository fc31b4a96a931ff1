import { type Kysely, sql } from 'kysely'

/** Where the clock of a sandbox tenant is going: at most one advance a tenant is under way. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE clock_advances (
      tenant_id text PRIMARY KEY REFERENCES tenants,
      request   text NOT NULL,
      target    timestamptz NOT NULL
    )`.execute(db)
}
