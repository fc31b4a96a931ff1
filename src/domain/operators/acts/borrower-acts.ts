import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { setBorrowerBlock } from '../../onboarding/borrowers.ts'
import { lockBorrower } from '../../onboarding/queries.ts'
import { decideReview, listChecks } from '../../onboarding/reviews.ts'
import { type ActContext, type GuardedAct, tenantContextOf } from './guarded-act.ts'

type OfBorrower = { tenantId: string; borrowerId: string }

const ofBorrower = z.strictObject({ tenantId: z.string(), borrowerId: z.string() })

const subjectOf = ({ tenantId, borrowerId }: OfBorrower) => ({
  subject: { kind: 'borrower', id: borrowerId },
  tenantId,
})

/** Passes what waits, and what has failed; only the latter needs a second operator. */
export const APPROVE_BORROWER: GuardedAct<OfBorrower, number> = {
  action: 'borrowers.approve',
  schema: ofBorrower,
  async needsSecond({ tx }, { tenantId, borrowerId }) {
    // A provider's answer could fail a check between this and the decision.
    await lockBorrower(tx, tenantId, borrowerId)
    const checks = await listChecks(tx, tenantId, borrowerId)
    return checks.some(({ status }) => status === 'failed')
  },
  run: async (context, request, reason) => await decide(context, request, reason, true),
}

export const REJECT_BORROWER: GuardedAct<OfBorrower, number> = {
  action: 'borrowers.reject',
  schema: ofBorrower,
  needsSecond: async () => false,
  run: async (context, request, reason) => await decide(context, request, reason, false),
}

async function decide(
  context: ActContext,
  request: OfBorrower,
  reason: string | undefined,
  approve: boolean,
) {
  const { tx } = context
  const { tenantId, borrowerId } = request
  const before = await readChecks(tx, request)
  const tenant = await tenantContextOf(context, tenantId)
  const result = await decideReview(tenant, borrowerId, { approve, note: reason ?? '' })
  const action = approve ? ('borrowers.approve' as const) : ('borrowers.reject' as const)
  const after = await readChecks(tx, request)
  return { result, act: { action, ...subjectOf(request), reason, before, after } }
}

/** Each by its id: another signer's check is of the same kind. The notes may be about a signer. */
async function readChecks(tx: Tx, { tenantId, borrowerId }: OfBorrower) {
  const checks = await listChecks(tx, tenantId, borrowerId)
  return Object.fromEntries(checks.map(({ id, kind, status }) => [id, { kind, status }]))
}

export const BLOCK_BORROWER: GuardedAct<OfBorrower, void> = {
  action: 'borrowers.block',
  schema: ofBorrower,
  needsSecond: async () => false,
  run: async (context, request, reason) => await setBlock(context, request, reason ?? '', reason),
}

export const UNBLOCK_BORROWER: GuardedAct<OfBorrower, void> = {
  action: 'borrowers.unblock',
  schema: ofBorrower,
  needsSecond: async () => true,
  run: async (context, request, reason) => await setBlock(context, request, undefined, reason),
}

async function setBlock(
  context: ActContext,
  request: OfBorrower,
  block: string | undefined,
  reason: string | undefined,
) {
  const tenant = await tenantContextOf(context, request.tenantId)
  const former = await setBorrowerBlock(tenant, request.borrowerId, block)
  const isBlocked = block !== undefined
  if (!isBlocked && !former) return { result: undefined, act: undefined }
  const action = isBlocked ? ('borrowers.block' as const) : ('borrowers.unblock' as const)
  // A block that has been renewed for the same reason is another block.
  const known = former && { reason: former.reason, since: former.at.toISOString() }
  const before = { blocked: former !== undefined, ...known }
  const act = { action, ...subjectOf(request), reason, before, after: { blocked: isBlocked } }
  return { result: undefined, act }
}
