import { Refusal } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { type ListRequest, listPage, type Page } from '../../../core/page.ts'
import type { Db } from '../../../db/database.ts'
import type { ApprovalStatus } from '../../../db/schema/operators.ts'
import { type OpenRecord, openRecords } from '../personal-record.ts'
import {
  selectApproval,
  selectApprovals,
  selectPendingApprovals,
  selectRequest,
} from './approval-queries.ts'

export type Approval = {
  id: string
  action: string
  subject: { kind: string; id: string }
  tenantId: string | undefined
  before: object | undefined
  after: object | undefined
  /** What it was seen to do when it was proposed. */
  preview: object | undefined
  reason: string
  proposedBy: string
  proposedAt: Date
  expiresAt: Date
  status: ApprovalStatus | 'EXPIRED'
  decidedBy: string | undefined
  decidedAt: Date | undefined
  decisionReason: string | undefined
}

type ApprovalList = Omit<ListRequest, 'context'> & { now: Date }

/** Soonest to expire first; refuses `cursor_invalid`. */
export async function pagePendingApprovals(
  db: Db,
  { now, ...list }: ApprovalList,
): Promise<Page<Approval>> {
  const page = await listPage(
    { ...list, context: 'operator/approvals/pending', parseKey: (text) => text },
    ({ before: after, limit }) => selectPendingApprovals(db, now, { after, limit }),
    (row) => row.approval_id,
  )
  return { ...page, items: await toApprovals(db, page.items, now) }
}

/** Newest first, decided and expired ones too; refuses `cursor_invalid`. */
export async function pageApprovals(
  db: Db,
  { now, ...list }: ApprovalList,
): Promise<Page<Approval>> {
  const page = await listPage(
    { ...list, context: 'operator/approvals', parseKey: (text) => text },
    (stretch) => selectApprovals(db, stretch),
    (row) => row.approval_id,
  )
  return { ...page, items: await toApprovals(db, page.items, now) }
}

/** Refuses `not_found`. */
export async function getApproval(db: Db, approvalId: string, now: Date): Promise<Approval> {
  const row = isId('apr', approvalId) ? await selectApproval(db, approvalId) : undefined
  if (!row) throw new Refusal('not_found', `There is no approval ${approvalId}.`)
  const [approval] = await toApprovals(db, [row], now)
  if (!approval) throw new Error('an approval was lost')
  return approval
}

/** The request is as the act stores it. Refuses `not_found`. */
export async function getStoredRequest(
  db: Db,
  approvalId: string,
): Promise<{ action: string; request: unknown }> {
  const row = isId('apr', approvalId) ? await selectRequest(db, approvalId) : undefined
  if (!row) throw new Refusal('not_found', `There is no approval ${approvalId}.`)
  return row
}

/** Soonest to expire first. */
export async function listPendingApprovals(db: Db, now: Date, limit: number): Promise<Approval[]> {
  const rows = await selectPendingApprovals(db, now, { after: undefined, limit })
  return await toApprovals(db, rows, now)
}

/** Newest first, decided and expired ones too. */
export async function listApprovals(db: Db, now: Date, limit: number): Promise<Approval[]> {
  const rows = await selectApprovals(db, { before: undefined, limit })
  return await toApprovals(db, rows, now)
}

type Row = Awaited<ReturnType<typeof selectApprovals>>[number]

async function toApprovals(db: Db, rows: readonly Row[], now: Date): Promise<Approval[]> {
  return (await openRecords(db, rows)).map((opened) => toApproval(opened, now))
}

/** Stands for a text whose borrower has been erased. */
const ERASED = '(erased)'

function toApproval({ row, open }: { row: Row; open: OpenRecord }, now: Date): Approval {
  const isExpired = row.status === 'PENDING' && row.expires_at <= now
  return {
    id: row.approval_id,
    action: row.action,
    subject: { kind: row.subject_kind, id: row.subject_id },
    tenantId: row.tenant ?? undefined,
    before: open.members(row.before),
    after: open.members(row.after),
    preview: open.members(row.preview),
    reason: open.text(row.reason) ?? ERASED,
    proposedBy: row.proposed_by_email,
    proposedAt: row.proposed_at,
    expiresAt: row.expires_at,
    status: isExpired ? 'EXPIRED' : row.status,
    decidedBy: row.decided_by_email ?? undefined,
    decidedAt: row.decided_at ?? undefined,
    decisionReason: open.text(row.decision_reason),
  }
}
