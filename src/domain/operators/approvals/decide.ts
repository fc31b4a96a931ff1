import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../../core/errors.ts'
import { isId } from '../../../core/ids.ts'
import { addMs } from '../../../core/time.ts'
import { SETTLED_MS } from '../../people/links/invitations.ts'
import { hasActionsSince } from '../action-queries.ts'
import { assertAllowed, type OperatorAct, recordOperatorAction } from '../actions.ts'
import { isStoredAct, runStoredAct, type StoredLink } from '../acts/acts.ts'
import type { SubjectAct } from '../acts/guarded-act.ts'
import { findRecordKey, openRecords, sealText } from '../personal-record.ts'
import { mayDo } from '../roles.ts'
import { lockApproval, updateApproval } from './approval-queries.ts'
import { asStored, type DeskContext, requireOperator } from './propose.ts'

/** With what was sealed opened. */
type Approval = Omit<NonNullable<Awaited<ReturnType<typeof lockApproval>>>, OpenedMember> & {
  request: object | undefined
  before: object | undefined
  after: object | undefined
  reason: string | undefined
}

type OpenedMember = 'request' | 'before' | 'after' | 'reason'

/** Runs the act, with its preconditions checked again; records who confirmed and returns the act,
 * which the caller records. Refuses `not_found`, `approval_not_open`, `scope_missing`, and what the
 * act refuses. */
export async function confirmApproval(
  context: DeskContext,
  approvalId: string,
): Promise<{ act: SubjectAct; link: StoredLink | undefined }> {
  const { tx, acting, now } = context
  const operator = requireOperator(acting.actor)
  assertAllowed(operator, 'approvals.confirm')
  const approval = await getOpenApproval(context, approvalId)
  const { action, request, reason } = approval
  if (!isStoredAct(action)) throw notOpen(`This build knows no act ${action}.`)
  if (reason === undefined) throw notOpen('The borrower that it was about has been erased.')
  if (approval.proposed_by === operator.id) {
    throw new Refusal('scope_missing', 'Another operator than the one who proposed it confirms.')
  }
  assertAllowed(operator, action)
  if (approval.removed_at !== null || !mayDo(approval.role, action)) {
    throw notOpen(`${approval.email}, who proposed it, may not do it any more.`)
  }
  assertTwoPeople(context, operator, approval)
  const signatures = { proposedBy: approval.email, signedBy: operator.email }
  const { act, link } = await runStoredAct({ ...context, signatures }, { action, request, reason })
  const isAsProposed =
    isDeepStrictEqual(asStored(act?.before), approval.before ?? null) &&
    isDeepStrictEqual(asStored(act?.after), approval.after ?? null)
  // A state that has come back is another than the one that was seen.
  const hasChanged =
    act && approval.seen_number !== null
      ? await hasActionsSince(tx, act.subject, approval.seen_number)
      : false
  if (!act || !isAsProposed || hasChanged) {
    throw notOpen('What it would change has changed since it was proposed.')
  }
  await updateApproval(tx, approvalId, {
    ...{ status: 'CONFIRMED', decidedBy: operator.id, decidedAt: now, reason: undefined },
  })
  await recordOperatorAction(tx, acting, {
    action: 'approvals.confirm',
    ...{ subject: act.subject, tenantId: act.tenantId, reason },
    after: { approval_id: approvalId, confirmed: action, proposed_by: approval.email },
  })
  return { act, link }
}

/** Who lets an operator in, or takes over what they sign in with, could be both. The person finds what was
 * done in their name within this time. */
function assertTwoPeople(
  { acting, now }: DeskContext,
  { email }: { email: string },
  { email: proposer, held_since: proposedBy }: Approval,
): void {
  const settled = addMs(now, -SETTLED_MS)
  for (const [name, heldSince] of [
    [email, acting.heldSince],
    [proposer, proposedBy],
  ] as const) {
    if (!heldSince || heldSince <= settled) continue
    const from = addMs(heldSince, SETTLED_MS).toISOString()
    const detail = `${name} acted by a passkey, link, token or sign-in that is not yet 24 hours old. Confirm from ${from} on.`
    throw new Refusal('scope_missing', detail)
  }
}

/** Another operator's, or one's own, which withdraws it. Refuses as `confirmApproval`. */
export async function rejectApproval(
  context: DeskContext,
  approvalId: string,
  reason: string | undefined,
): Promise<OperatorAct> {
  const { tx, acting, now } = context
  const operator = requireOperator(acting.actor)
  assertAllowed(operator, 'approvals.reject')
  const approval = await getOpenApproval(context, approvalId)
  const { action } = approval
  if (approval.proposed_by !== operator.id && isStoredAct(action)) assertAllowed(operator, action)
  const subject = { kind: approval.subject_kind, id: approval.subject_id }
  const tenantId = approval.tenant ?? undefined
  const found = await findRecordKey(tx, tenantId, subject)
  await updateApproval(tx, approvalId, {
    ...{ status: 'REJECTED', decidedBy: operator.id, decidedAt: now },
    reason: sealText(found, reason),
  })
  return {
    action: 'approvals.reject',
    ...{ subject, tenantId, reason },
    after: { approval_id: approvalId, rejected: action, proposed_by: approval.email },
  }
}

async function getOpenApproval({ tx, now }: DeskContext, approvalId: string): Promise<Approval> {
  const approval = isId('apr', approvalId) ? await lockApproval(tx, approvalId) : undefined
  if (!approval) throw new Refusal('not_found', `There is no approval ${approvalId}.`)
  if (approval.status !== 'PENDING')
    throw notOpen(`It was ${approval.status.toLowerCase()} before.`)
  if (approval.expires_at <= now) throw notOpen('It has expired.')
  const [opened] = await openRecords(tx, [approval])
  if (!opened) throw new Error('an approval was lost')
  const { row, open } = opened
  return {
    ...row,
    request: open.members(row.request),
    before: open.members(row.before),
    after: open.members(row.after),
    reason: open.text(row.reason),
  }
}

function notOpen(detail: string): Refusal {
  return new Refusal('approval_not_open', detail)
}
