import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { CheckStatus } from '../../db/schema/onboarding.ts'
import { ensureBorrowerKey } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestEvaluation, unknownBorrower } from './borrowers.ts'
import { lockBorrower, selectChecks, updateCheck } from './queries.ts'

/** Of a locked borrower; returns how many. A later answer of a provider has no effect. */
export async function moveChecks(
  { tx, tenantId, now }: TenantContext,
  borrowerId: string,
  { from, to, note }: { from: readonly CheckStatus[]; to: CheckStatus; note: string },
): Promise<number> {
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId })
  const sealed = key.seal(note, 'note')
  let moved = 0
  for (const check of await selectChecks(tx, tenantId, borrowerId)) {
    const change = { from, to, note: sealed, reference: undefined, now }
    if (await updateCheck(tx, tenantId, check.check_id, change)) moved += 1
  }
  return moved
}

export type OverriddenOutcome = 'passed' | 'failed' | 'review'

/** Passing also overrules a failure; nothing undoes a pass. */
const REACHES: Record<OverriddenOutcome, readonly CheckStatus[]> = {
  passed: ['pending', 'review', 'failed'],
  failed: ['pending', 'review'],
  review: ['pending'],
}

/** For the sandbox. Returns how many open checks were decided; refuses `not_found` without one. */
export async function overrideChecks(
  tenant: TenantContext,
  borrowerId: string,
  outcome: OverriddenOutcome,
): Promise<number> {
  const { tx, tenantId, realNow } = tenant
  const borrower = isId('bor', borrowerId) && (await lockBorrower(tx, tenantId, borrowerId))
  if (!borrower) throw unknownBorrower()
  const move = { from: REACHES[outcome], to: outcome, note: 'Chosen by the sandbox control.' }
  const steered = await moveChecks(tenant, borrowerId, move)
  if (steered === 0) {
    throw new Refusal(
      'not_found',
      'The borrower has no check that waits for this; checks begin with the first signature.',
    )
  }
  await requestEvaluation(tx, tenantId, borrowerId, realNow)
  return steered
}
