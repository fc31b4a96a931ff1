import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { ApprovalStatus } from '../../../db/schema/operators.ts'

export type NewApproval = {
  approvalId: string
  action: string
  subject: { kind: string; id: string }
  tenantId: string | undefined
  /** Whose key has sealed what is personal. */
  borrowerId: string | undefined
  request: object
  before: object | undefined
  after: object | undefined
  preview?: object | undefined
  reason: string
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
  /** The last action of the record then. */
  seenNumber: bigint
  /** Since when the proposer held their youngest credential. */
  heldSince: Date | undefined
}

export async function insertApproval(tx: Tx, approval: NewApproval): Promise<void> {
  await tx
    .insertInto('approvals')
    .values({
      approval_id: approval.approvalId,
      action: approval.action,
      subject_kind: approval.subject.kind,
      subject_id: approval.subject.id,
      tenant: approval.tenantId ?? null,
      borrower_id: approval.borrowerId ?? null,
      request: asJson(approval.request),
      before: approval.before ? asJson(approval.before) : null,
      after: approval.after ? asJson(approval.after) : null,
      preview: approval.preview ? asJson(approval.preview) : null,
      reason: approval.reason,
      proposed_by: approval.proposedBy,
      proposed_at: approval.proposedAt,
      expires_at: approval.expiresAt,
      seen_number: approval.seenNumber,
      held_since: approval.heldSince ?? null,
      status: 'PENDING',
    })
    .execute()
}

const asJson = (members: object) => JSON.stringify(members) as unknown as Record<string, unknown>

const COLUMNS = [
  'a.approval_id',
  'a.action',
  'a.subject_kind',
  'a.subject_id',
  'a.tenant',
  'a.borrower_id',
  'a.before',
  'a.after',
  'a.preview',
  'a.reason',
  'a.proposed_at',
  'a.expires_at',
  'a.status',
  'a.decided_at',
  'a.decision_reason',
  'p.email as proposed_by_email',
  'd.email as decided_by_email',
] as const

/** Soonest to expire first: all last as long, so in the order of their ids, after one. */
export async function selectPendingApprovals(
  db: Db,
  now: Date,
  { after, limit }: { after: string | undefined; limit: number },
) {
  return await approvalsWithNames(db)
    // A literal, so that the plan for any parameters has the partial index.
    .where('a.status', '=', sql.lit('PENDING'))
    .where('a.expires_at', '>', now)
    .$if(after !== undefined, (query) => query.where('a.approval_id', '>', after ?? ''))
    .orderBy('a.approval_id')
    .limit(limit)
    .execute()
}

export async function selectRequest(
  db: Db,
  approvalId: string,
): Promise<{ action: string; request: unknown } | undefined> {
  return await db
    .selectFrom('approvals')
    .select(['action', 'request'])
    .where('approval_id', '=', approvalId)
    .executeTakeFirst()
}

/** Newest first, before one; those that have expired too. */
export async function selectApprovals(
  db: Db,
  { before, limit }: { before: string | undefined; limit: number },
) {
  return await approvalsWithNames(db)
    .$if(before !== undefined, (query) => query.where('a.approval_id', '<', before ?? ''))
    .orderBy('a.approval_id', 'desc')
    .limit(limit)
    .execute()
}

export async function selectApproval(db: Db, approvalId: string) {
  return await approvalsWithNames(db).where('a.approval_id', '=', approvalId).executeTakeFirst()
}

/** Of one proposer about one thing. */
export async function selectOwnPending(
  tx: Tx,
  { proposedBy, subjectId, now }: { proposedBy: string; subjectId: string; now: Date },
) {
  return await tx
    .selectFrom('approvals')
    .select(['approval_id', 'action', 'request', 'before', 'after', 'reason', 'expires_at'])
    .select(['tenant', 'borrower_id'])
    .where('proposed_by', '=', proposedBy)
    .where('subject_id', '=', subjectId)
    .where('status', '=', sql.lit('PENDING'))
    .where('expires_at', '>', now)
    .orderBy('approval_id')
    .execute()
}

function approvalsWithNames(db: Db) {
  return db
    .selectFrom('approvals as a')
    .innerJoin('operators as p', 'p.operator_id', 'a.proposed_by')
    .leftJoin('operators as d', 'd.operator_id', 'a.decided_by')
    .select(COLUMNS)
}

/** With its proposer as they are now. */
export async function lockApproval(tx: Tx, approvalId: string) {
  return await tx
    .selectFrom('approvals as a')
    .innerJoin('operators as p', 'p.operator_id', 'a.proposed_by')
    .select([
      ...(['a.action', 'a.request', 'a.before', 'a.after', 'a.reason', 'a.status'] as const),
      ...(['a.subject_kind', 'a.subject_id', 'a.tenant', 'a.proposed_by', 'a.expires_at'] as const),
      'a.borrower_id',
      ...(['a.seen_number', 'a.held_since'] as const),
      ...(['p.email', 'p.role', 'p.removed_at'] as const),
    ])
    .where('a.approval_id', '=', approvalId)
    .forUpdate('a')
    .executeTakeFirst()
}

export async function updateApproval(
  tx: Tx,
  approvalId: string,
  decision: {
    status: ApprovalStatus
    decidedBy: string
    decidedAt: Date
    reason: string | undefined
  },
): Promise<void> {
  await tx
    .updateTable('approvals')
    .set({
      status: decision.status,
      decided_by: decision.decidedBy,
      decided_at: decision.decidedAt,
      decision_reason: decision.reason ?? null,
    })
    .where('approval_id', '=', approvalId)
    .execute()
}
