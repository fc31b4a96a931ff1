import { type Kysely, sql } from 'kysely'
import { createIndexConcurrently } from '../src/db/migrate/concurrent-index.ts'

export const isConcurrent = true

export const oldestBuild = '0021-stack'

const BATCH = 1_000

/** No column of theirs changes when an ordinary delivery is recorded. Every
 * type is at least '': that keeps the tenant's indexes to the queries that say so. */
const INDEXES: Readonly<Record<string, string>> = {
  deliveries_ordinary: '(tenant_id, webhook_id, sequence) WHERE listed_as IS NULL',
  deliveries_listed: '(tenant_id, webhook_id, listed_as, sequence) WHERE listed_as IS NOT NULL',
  deliveries_of_tenant_ordinary:
    "(tenant_id, sequence, webhook_id) WHERE listed_as IS NULL AND event_type >= ''",
  deliveries_of_tenant_listed:
    "(tenant_id, listed_as, sequence, webhook_id) WHERE listed_as IS NOT NULL AND event_type >= ''",
}

/** What has failed or was cancelled gets its list, and the lists their indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ tenant_id: string }>`SELECT tenant_id FROM tenants`.execute(db)
  for (const { tenant_id: tenantId } of rows) {
    for (const state of ['pending', 'dead_lettered', 'cancelled']) await list(db, tenantId, state)
  }
  for (const [name, columns] of Object.entries(INDEXES)) await makeIndex(db, name, columns)
}

/** In batches, by the index of the tenant's deliveries. */
async function list(db: Kysely<unknown>, tenantId: string, state: string): Promise<void> {
  for (let after = { sequence: '0', webhook_id: '' }; ; ) {
    const { rows } = await sql<typeof after>`
      WITH found AS MATERIALIZED (
        SELECT webhook_id, event_id, recorded_at, sequence FROM deliveries
        WHERE tenant_id = ${tenantId} AND state = ${state} AND sequence IS NOT NULL
          AND (sequence, webhook_id) > (${after.sequence}::bigint, ${after.webhook_id})
        ORDER BY sequence, webhook_id LIMIT ${BATCH}
      ), listed AS (
        UPDATE deliveries d SET listed_as = d.state FROM found f
        WHERE d.tenant_id = ${tenantId} AND d.webhook_id = f.webhook_id AND d.event_id = f.event_id
          AND d.recorded_at = f.recorded_at AND d.state = ${state} AND d.listed_as IS NULL
          AND (d.state <> 'pending' OR d.attempts > 0)
      )
      SELECT sequence::text, webhook_id FROM found
      ORDER BY found.sequence DESC, webhook_id DESC LIMIT 1`.execute(db)
    const [last] = rows
    if (!last) return
    after = last
  }
}

async function makeIndex(db: Kysely<unknown>, index: string, columns: string): Promise<void> {
  await sql.raw(`CREATE INDEX IF NOT EXISTS ${index} ON ONLY deliveries ${columns}`).execute(db)
  const { rows } = await sql<{ month: string; attached: boolean }>`
    SELECT child.relname AS month, EXISTS (
      SELECT FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid
      WHERE inhparent = to_regclass(${index}) AND indrelid = child.oid) AS attached
    FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = 'deliveries'::regclass ORDER BY 1`.execute(db)
  for (const { month, attached } of rows) {
    if (attached) continue
    const name = index.replace('deliveries', month)
    await createIndexConcurrently(db, name, `ON ${month} ${columns}`)
    await sql.raw(`ALTER INDEX ${index} ATTACH PARTITION ${name}`).execute(db)
  }
}
