import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { CheckStatus } from '../../db/schema/onboarding.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestEvaluation, unknownBorrower } from './borrowers.ts'
import { moveChecks } from './move-checks.ts'
import { lockBorrower } from './queries.ts'

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
