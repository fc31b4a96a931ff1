import { type Kysely, sql } from 'kysely'

export const oldestBuild = '0021-stack'

/** Which tenants there are, in one place: read where tenants are spread over nodes, one of which may be
 * away. `cli distribute` fills it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('CREATE TABLE tenant_list (tenant_id text PRIMARY KEY)').execute(db)
}
