import type { Db } from '../../../db/database.ts'
import type { ApprovalStatus } from '../../../db/schema/operators.ts'
import { selectApprovals, selectPendingApprovals } from './approval-queries.ts'

export type Approval = {
  id: string
  action: string
  subject: { kind: string; id: string }
  tenantId: string | undefined
  before: object | undefined
  after: object | undefined
  reason: string
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
  status: ApprovalStatus | 'EXPIRED'
  decidedBy: string | undefined
  decidedAt: Date | undefined
  decisionReason: string | undefined
}

/** Soonest to expire first. */
export async function listPendingApprovals(db: Db, now: Date): Promise<Approval[]> {
  return (await selectPendingApprovals(db, now)).map((row) => toApproval(row, now))
}

/** Newest first, decided and expired ones too. */
export async function listApprovals(db: Db, now: Date, limit: number): Promise<Approval[]> {
  return (await selectApprovals(db, limit)).map((row) => toApproval(row, now))
}

function toApproval(row: Awaited<ReturnType<typeof selectApprovals>>[number], now: Date): Approval {
  const isExpired = row.status === 'PENDING' && row.expires_at <= now
  return {
    id: row.approval_id,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    tenantId: row.tenant ?? undefined,
    before: row.before ?? undefined,
    after: row.after ?? undefined,
    reason: row.reason,
    proposedBy: row.proposed_by_email,
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    status: isExpired ? 'EXPIRED' : row.status,
    decidedBy: row.decided_by_email ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    decisionReason: row.decision_reason ?? undefined,
  }
}
