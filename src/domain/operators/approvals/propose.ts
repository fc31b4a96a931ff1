import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import { runInSavepoint } from '../../../db/database.ts'
import {
  type ActingOperator,
  assertAllowed,
  nameActor,
  type OperatorAct,
  type OperatorActor,
} from '../actions.ts'
import { isStoredAct } from '../acts/acts.ts'
import type { ActContext, GuardedAct, SubjectAct } from '../acts/guarded-act.ts'
import { insertApproval } from './approval-queries.ts'

const VALID_MS = 3 * DAY_MS

/** Who acts in a transaction, and whether guarded acts need a second operator. */
export type DeskContext = Omit<ActContext, 'signatures'> & {
  acting: ActingOperator
  isFourEyes: boolean
}

export type Proposed = { approvalId: string; action: string; expiresAt: Date }

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
  const name = nameActor(context.acting.actor)
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
  const act = await tryOut(context, guarded, request, reason)
  if (!isStoredAct(act.action)) throw new Error(`${act.action} cannot be stored`)
  assertAllowed(operator, act.action)
  const { action, subject, tenantId, before, after } = act
  const approvalId = newId('apr')
  const expiresAt = addMs(now, VALID_MS)
  await insertApproval(tx, {
    ...{ approvalId, action, subject, tenantId, request, before, after, reason },
    ...{ proposedBy: operator.id, proposedAt: now, expiresAt },
  })
  const recorded: OperatorAct = {
    action: 'approvals.propose',
    ...{ subject, tenantId, reason },
    ...(before && { before }),
    after: { ...after, approval_id: approvalId, proposed: action },
  }
  const proposed = { approvalId, action, expiresAt }
  return { result: { kind: 'proposed' as const, proposed }, act: recorded }
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
    tried = (await guarded.run(context, request, reason)).act
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
