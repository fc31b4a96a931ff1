import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** While a tenant is suspended, it reads and does not write. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    ALTER TABLE tenants
      ADD COLUMN suspended_at timestamptz,
      ADD COLUMN suspension_reason text,
      ADD CHECK ((suspended_at IS NULL) = (suspension_reason IS NULL));
  `)
    .execute(db)
}
