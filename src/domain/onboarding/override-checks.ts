import { Refusal } from '../../core/errors.ts'
import { isId } from '../../core/ids.ts'
import type { CheckStatus } from '../../db/schema.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestEvaluation, unknownBorrower } from './borrowers.ts'
import { moveChecks } from './move-checks.ts'
import { lockBorrower } from './queries.ts'

/** What a test can have a borrower's checks come to. */
export type OverriddenOutcome = 'passed' | 'failed' | 'review'

/** Which checks each outcome reaches. Passing also overrules a failure; nothing undoes a pass. */
const REACHES: Record<OverriddenOutcome, readonly CheckStatus[]> = {
  passed: ['pending', 'review', 'failed'],
  failed: ['pending', 'review'],
  review: ['pending'],
}

/**
 * Brings a borrower's open checks to an outcome and asks for a new evaluation; returns how many
 * there were. What a provider answers later about one of them changes nothing. For the sandbox
 * alone. Refuses `not_found` when the borrower is unknown or has no check that this reaches.
 */
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
