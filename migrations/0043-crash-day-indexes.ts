import type { Kysely } from 'kysely'
import { createIndexConcurrently } from '../src/db/concurrent-index.ts'

export const isConcurrent = true

const INDEXES = {
  facilities_by_borrower: 'ON facilities (tenant_id, borrower_id, facility_id)',
  facilities_by_state: 'ON facilities (tenant_id, state, facility_id)',
  // Few rows are in these, however many the table has.
  compliance_checks_in_review: `ON compliance_checks (tenant_id, created_at, check_id)
    WHERE status = 'review'`,
  idempotency_records_with_secret: `ON idempotency_records (tenant_id, key)
    WHERE secret_id IS NOT NULL`,
  repayments_reported: `ON repayments (tenant_id, facility_id, margin_warning_number)
    WHERE status = 'REPORTED'`,
  webhooks_registered: `ON webhooks (tenant_id, webhook_id) WHERE state <> 'deleted'`,
}

/** What a database of a crash day's size was found to read too much without: see docs/plans.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One that an earlier attempt has built whole stays.
  for (const [name, definition] of Object.entries(INDEXES)) {
    await createIndexConcurrently(db, name, definition)
  }
}
