import type { Kysely } from 'kysely'
import { createIndexConcurrently } from '../src/db/migrate/concurrent-index.ts'

export const isConcurrent = true

export const oldestBuild = '0021-stack'

/** What waits for an operator, over all tenants, in the order in which it is read. */
const INDEXES = {
  compliance_checks_waiting: `ON compliance_checks (created_at, check_id) WHERE status = 'review'`,
  facilities_waiting: `ON facilities (created_at, facility_id) WHERE state = 'PENDING'`,
  borrowers_blocked: `ON borrowers (blocked_at, borrower_id) WHERE blocked_at IS NOT NULL`,
  refunds_refused_first: `ON refunds (created_at, refund_id) WHERE status = 'PENDING' AND refusals > 0`,
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(INDEXES)) {
    await createIndexConcurrently(db, name, definition)
  }
}
