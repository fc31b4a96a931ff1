import { sql } from 'kysely'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'

/**
 * Takes all tenants out with everything of theirs, and the rows of other tables besides. On one
 * server the journal refuses to be emptied: only a superuser of it can pass that over, as here. On a
 * cluster a trigger that this would pass over has the nodes empty their tables.
 */
export async function removeTenants(db: Db, ...besides: string[]): Promise<void> {
  const tables = ['tenants', ...besides].map((table) => sql.table(table))
  const isOnCluster = await isDistributed(db)
  await inTransaction(db, async (tx) => {
    if (!isOnCluster) await sql`SET LOCAL session_replication_role = replica`.execute(tx)
    await sql`TRUNCATE ${sql.join(tables)} CASCADE`.execute(tx)
  })
}
