import { type Kysely, sql } from 'kysely'
import { createIndexConcurrently } from '../src/db/migrate/concurrent-index.ts'

export const isConcurrent = true

export const oldestBuild = '0021-stack'

const INDEX = 'deliveries_of_tenant'
const COLUMNS = '(tenant_id, state, sequence, webhook_id) WHERE sequence IS NOT NULL'

/** The deliveries of a tenant to all webhooks, by state. The predicate is true of every row and
 * keeps the index to the queries that name it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ONLY deliveries ${COLUMNS}`).execute(db)
  const { rows } = await sql<{ month: string; attached: boolean }>`
    SELECT child.relname AS month, EXISTS (
      SELECT FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid
      WHERE inhparent = to_regclass(${INDEX}) AND indrelid = child.oid) AS attached
    FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = 'deliveries'::regclass ORDER BY 1`.execute(db)
  for (const { month, attached } of rows) {
    if (attached) continue
    const name = `${month}_of_tenant`
    await createIndexConcurrently(db, name, `ON ${month} ${COLUMNS}`)
    await sql.raw(`ALTER INDEX ${INDEX} ATTACH PARTITION ${name}`).execute(db)
  }
}
