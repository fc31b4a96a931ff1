import { sql } from 'kysely'
import type { Db } from '../../../src/db/database.ts'

/**
 * Takes all tenants out with everything of theirs, and the rows of other tables besides. The journal
 * refuses to be emptied: only a superuser of the whole server can pass that over, as here.
 */
export async function removeTenants(db: Db, ...besides: string[]): Promise<void> {
  const tables = ['tenants', ...besides].map((table) => sql.table(table))
  await db.transaction().execute(async (tx) => {
    await sql`SET LOCAL session_replication_role = replica`.execute(tx)
    await sql`TRUNCATE ${sql.join(tables)} CASCADE`.execute(tx)
  })
}
