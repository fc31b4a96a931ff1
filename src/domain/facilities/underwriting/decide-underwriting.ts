import { exceedsLtv } from '../../../core/ratio.ts'
import type { LendingPolicy } from '../policy.ts'

/** Why an application is declined. */
export type DeclineReason =
  | 'borrower_not_eligible'
  | 'limit_out_of_range'
  | 'residency_limit_exceeded'
  | 'insufficient_collateral'
  | 'control_not_confirmed'
  | 'portfolio_stale'

export type UnderwritingFacts = {
  isBorrowerEligible: boolean
  limitCents: bigint
  /** The residency policy's own maximum; undefined where it names none. */
  residencyMaxCents: bigint | undefined
  /** Age of the newest portfolio in milliseconds; undefined when there is none. */
  portfolioAgeMs: number | undefined
  collateralValueCents: bigint
  /** False where collateral is held that has no price yet, which counts nothing so far. */
  isAllPriced: boolean
  /** What the custodian says of its control of the account, where it must be asked. */
  control: 'not_required' | 'confirmed' | 'denied' | 'not_answered'
  /** Whether the application has waited as long as applications do. */
  isPatienceOver: boolean
}

export type UnderwritingDecision =
  | { decision: 'approved' }
  | { decision: 'declined'; reasons: DeclineReason[] }
  | { decision: 'wait'; for: 'portfolio' | 'control' | 'price' }

/**
 * Decides an application from what is known of it. Without a fresh portfolio it waits, and is
 * declined when it has waited for too long; without the custodian's answer, or a price that could
 * make up what is short, it waits. All other reasons are told at once.
 */
export function decideUnderwriting(
  facts: UnderwritingFacts,
  policy: LendingPolicy,
): UnderwritingDecision {
  const reasons: DeclineReason[] = []
  if (!facts.isBorrowerEligible) reasons.push('borrower_not_eligible')
  if (facts.limitCents < policy.minLimitCents || facts.limitCents > policy.maxLimitCents) {
    reasons.push('limit_out_of_range')
  }
  const { residencyMaxCents } = facts
  if (residencyMaxCents !== undefined && facts.limitCents > residencyMaxCents) {
    reasons.push('residency_limit_exceeded')
  }
  if (facts.control === 'denied') reasons.push('control_not_confirmed')
  if (reasons.length > 0) return { decision: 'declined', reasons }

  const { portfolioAgeMs } = facts
  if (portfolioAgeMs === undefined || portfolioAgeMs > policy.underwritingPortfolioAgeMs) {
    if (facts.isPatienceOver) return { decision: 'declined', reasons: ['portfolio_stale'] }
    return { decision: 'wait', for: 'portfolio' }
  }
  if (facts.control === 'not_answered') return { decision: 'wait', for: 'control' }
  if (exceedsLtv(facts.limitCents, facts.collateralValueCents, policy.underwritingLtvPpm)) {
    if (!facts.isAllPriced) return { decision: 'wait', for: 'price' }
    return { decision: 'declined', reasons: ['insufficient_collateral'] }
  }
  return { decision: 'approved' }
}
