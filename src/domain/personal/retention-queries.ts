import { sql } from 'kysely'
import type { BorrowerRef } from '../../core/personal-text.ts'
import type { Tx } from '../../db/database.ts'
import type { RetainedFacility, RetentionFacts } from './retention.ts'

/** False where there is none. */
export async function lockBorrowerRow(tx: Tx, borrower: BorrowerRef): Promise<boolean> {
  const row = await tx
    .selectFrom('borrowers')
    .select('borrower_id')
    .where('tenant_id', '=', borrower.tenantId)
    .where('borrower_id', '=', borrower.borrowerId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Call it under the borrower's lock, which the opening of a facility, a check's answer and a block take too. */
export async function selectRetentionFacts(
  tx: Tx,
  tenantId: string,
  borrowerId: string,
): Promise<RetentionFacts> {
  const { rows: facilities } = await sql<RetainedFacility>`
    SELECT f.facility_id AS id, f.state IN ('PENDING', 'APPROVED', 'CLOSING') AS "isOpen",
      f.recovered_cents < f.charged_off_principal_cents + f.charged_off_interest_cents AS owes,
      f.refund_due_cents > 0 OR EXISTS (SELECT FROM refunds r WHERE r.tenant_id = ${tenantId}
        AND r.facility_id = f.facility_id AND r.status = 'PENDING') AS "isOwedBack",
      EXISTS (SELECT FROM repayments p WHERE p.tenant_id = ${tenantId}
        AND p.facility_id = f.facility_id AND p.suspended_units > 0
        AND p.suspense_end IS NULL) AS "isInSuspense",
      EXISTS (SELECT FROM repayments p WHERE p.tenant_id = ${tenantId}
        AND p.facility_id = f.facility_id AND p.status IN ('PENDING', 'REPORTED'))
        OR EXISTS (SELECT FROM draws d WHERE d.tenant_id = ${tenantId}
          AND d.facility_id = f.facility_id AND d.status = 'PENDING')
        OR EXISTS (SELECT FROM doubtful_calls c WHERE c.tenant_id = ${tenantId}
          AND c.facility_id = f.facility_id AND c.settled_at IS NULL) AS "isUnderWay",
      EXISTS (SELECT FROM facility_pauses h WHERE h.tenant_id = ${tenantId}
        AND h.facility_id = f.facility_id AND h.kind = 'hold' AND h.ended_at IS NULL) AS "isOnHold",
      coalesce(f.closed_at, f.decisioned_at) AS "endedAt"
    FROM facilities f WHERE f.tenant_id = ${tenantId} AND f.borrower_id = ${borrowerId}
    ORDER BY f.facility_id`.execute(tx)
  const { rows: own } = await sql<{
    waiting: number
    failed_at: Date | null
    blocked_at: Date | null
    unblocked_at: Date | null
  }>`
    SELECT count(c.check_id) FILTER (WHERE c.status IN ('pending', 'review'))::int AS waiting,
      max(c.decided_at) FILTER (WHERE c.status = 'failed') AS failed_at,
      b.blocked_at, b.unblocked_at
    FROM borrowers b
    LEFT JOIN compliance_checks c ON c.tenant_id = b.tenant_id AND c.borrower_id = b.borrower_id
    WHERE b.tenant_id = ${tenantId} AND b.borrower_id = ${borrowerId}
    GROUP BY b.blocked_at, b.unblocked_at`.execute(tx)
  const [row] = own
  if (!row) throw new Error('retention was asked of a borrower that is not there')
  return {
    facilities,
    checksWaiting: row.waiting,
    lastFailedAt: row.failed_at ?? undefined,
    isBlocked: row.blocked_at !== null,
    unblockedAt: row.unblocked_at ?? undefined,
  }
}
