import type { Kysely } from 'kysely'
import { createIndexConcurrently } from '../src/db/migrate/concurrent-index.ts'

export const isConcurrent = true

export const oldestBuild = '0021-stack'

const OPEN = `WHERE status = 'OPEN'`
const LIVE = `WHERE status IN ('PENDING', 'SELLING')`
const ENDED = `WHERE status = 'COMPLETED'`

/** The lists of the margin desk, over all tenants and of one. */
const INDEXES = {
  margin_warnings_due: `ON margin_warnings (tier, cure_deadline, facility_id) ${OPEN}`,
  margin_warnings_due_of_tenant: `ON margin_warnings (tenant_id, tier, cure_deadline, facility_id) ${OPEN}`,
  margin_calls_live: `ON margin_calls (created_at, facility_id, number) ${LIVE}`,
  margin_calls_live_of_tenant: `ON margin_calls (tenant_id, created_at, facility_id, number) ${LIVE}`,
  margin_calls_ended: `ON margin_calls (completed_at, facility_id, number) ${ENDED}`,
  margin_calls_ended_of_tenant: `ON margin_calls (tenant_id, completed_at, facility_id, number) ${ENDED}`,
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(INDEXES)) {
    await createIndexConcurrently(db, name, definition)
  }
}
