import { isDeepStrictEqual } from 'node:util'
import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import { runInSavepoint } from '../../../db/database.ts'
import { LENDER } from '../../../db/sql/people-tables.ts'
import { lockPerson } from '../../people/people-queries.ts'
import { selectLastNumber } from '../action-queries.ts'
import { assertAllowed, nameActor, type OperatorAct, type OperatorActor } from '../actions.ts'
import { isStoredAct } from '../acts/acts.ts'
import type { ActContext, GuardedAct, SubjectAct } from '../acts/guarded-act.ts'
import { findRecordKey, openRecords, requireSealed, sealMembers } from '../personal-record.ts'
import { insertApproval, selectOwnPending } from './approval-queries.ts'

const VALID_MS = 3 * DAY_MS

/** Who acts in a transaction, and whether guarded acts need a second operator. */
export type DeskContext = Omit<ActContext, 'signatures'> & { isFourEyes: boolean }

/** `preview` is what it would do now beyond what the proposal fixes. */
export type Proposed = {
  approvalId: string
  action: string
  expiresAt: Date
  preview?: object | undefined
}

export type Outcome<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'proposed'; proposed: Proposed }

/** Does the act, or stores it for a second operator. The caller records the action. */
export async function doOrPropose<Request extends object, Result>(
  context: DeskContext,
  guarded: GuardedAct<Request, Result>,
  request: Request,
  reason: string | undefined,
): Promise<{ result: Outcome<Result>; act: OperatorAct | undefined }> {
  const { actor } = context.acting
  assertAllowed(actor, guarded.action)
  const name = nameActor(actor)
  const alone = { ...context, signatures: { proposedBy: name, signedBy: name } }
  if (context.isFourEyes && (await guarded.needsSecond(alone, request))) {
    return await propose(alone, guarded, request, reason)
  }
  const { result, act } = await guarded.run(alone, request, reason)
  return { result: { kind: 'done', result }, act }
}

/** Refuses what the act refuses, `scope_missing` without an operator who may do it, and
 * `validation_failed` without a reason. */
async function propose<Request extends object, Result>(
  context: DeskContext & ActContext,
  guarded: GuardedAct<Request, Result>,
  request: Request,
  reason: string | undefined,
) {
  const { tx, acting, now } = context
  const operator = requireOperator(acting.actor)
  if (reason === undefined || reason.trim() === '') {
    throw new Refusal('validation_failed', 'Another operator confirms this act: add the reason.')
  }
  // Before the trial: what is done to the subject from now on is after what the proposer sees.
  const seenNumber = await selectLastNumber(tx)
  const act = await tryOut(context, guarded, request, reason)
  if (!isStoredAct(act.action)) throw new Error(`${act.action} cannot be stored`)
  const { action, subject, tenantId, before, after, outcome: preview } = act
  const known = await findSame(context, operator, { ...act, request, reason })
  if (known) return { result: { kind: 'proposed' as const, proposed: known }, act: undefined }
  const approvalId = newId('apr')
  const expiresAt = addMs(now, VALID_MS)
  const found = await findRecordKey(tx, tenantId, subject)
  await insertApproval(tx, {
    ...{ approvalId, action, subject, tenantId, borrowerId: found?.borrowerId },
    request: sealMembers(found, request) ?? {},
    before: sealMembers(found, before),
    after: sealMembers(found, after),
    preview: sealMembers(found, preview),
    reason: requireSealed(found, reason),
    ...{ proposedBy: operator.id, proposedAt: now, expiresAt, seenNumber },
    heldSince: acting.heldSince,
  })
  const recorded: OperatorAct = {
    action: 'approvals.propose',
    ...{ subject, tenantId, reason },
    ...(before && { before }),
    after: { ...after, approval_id: approvalId, proposed: action },
  }
  const proposed = { approvalId, action, expiresAt, preview }
  return { result: { kind: 'proposed' as const, proposed }, act: recorded }
}

/** The same proposal by the same operator that waits already: sent twice, it is one. */
async function findSame(
  { tx, now }: DeskContext,
  { id: proposedBy }: { id: string },
  wanted: SubjectAct & { request: object; reason: string },
): Promise<Proposed | undefined> {
  await lockPerson(tx, { ...LENDER, personId: proposedBy })
  const rows = await selectOwnPending(tx, { proposedBy, subjectId: wanted.subject.id, now })
  const found = (await openRecords(tx, rows)).find(
    ({ row, open }) =>
      row.action === wanted.action &&
      open.text(row.reason) === wanted.reason &&
      isDeepStrictEqual(open.members(row.request), asStored(wanted.request)) &&
      isDeepStrictEqual(open.members(row.before) ?? null, asStored(wanted.before)) &&
      isDeepStrictEqual(open.members(row.after) ?? null, asStored(wanted.after)),
  )?.row
  return (
    found && {
      approvalId: found.approval_id,
      action: found.action,
      expiresAt: found.expires_at,
      preview: wanted.outcome,
    }
  )
}

/** As it comes back from the database. */
export function asStored(state: object | undefined): unknown {
  return state === undefined ? null : JSON.parse(JSON.stringify(state))
}

/** Undone at once: what it refuses is refused now, and what it would change is known. */
async function tryOut<Request, Result>(
  context: ActContext,
  guarded: GuardedAct<Request, Result>,
  request: Request,
  reason: string,
): Promise<SubjectAct> {
  let tried: SubjectAct | undefined
  await runInSavepoint(context.tx, async () => {
    tried = (await guarded.run({ ...context, isTrial: true }, request, reason)).act
    return false
  })
  if (!tried) throw new Refusal('validation_failed', 'There is nothing to change.')
  return tried
}

/** Refuses `scope_missing`: the system's user may be either of two people. */
export function requireOperator(actor: OperatorActor) {
  if (actor.kind === 'operator') return actor
  const detail = 'This act needs two operators: name the one who acts with --actor.'
  throw new Refusal('scope_missing', detail)
}
