import { exceedsLtv } from '../../../core/ratio.ts'
import type { LendingPolicy } from '../policy.ts'

export type DeclineReason =
  | 'borrower_not_eligible'
  | 'deficit_owed'
  | 'limit_out_of_range'
  | 'residency_limit_exceeded'
  | 'insufficient_collateral'
  | 'control_not_confirmed'
  | 'portfolio_stale'

export type UnderwritingFacts = {
  isBorrowerEligible: boolean
  /** Charged off on an earlier facility and not recovered. */
  deficitCents: bigint
  limitCents: bigint
  residencyMaxCents: bigint | undefined
  portfolioAgeMs: number | undefined
  collateralValueCents: bigint
  /** False while an asset has no price, which counts as nothing. */
  isAllPriced: boolean
  control: 'not_required' | 'confirmed' | 'denied' | 'not_answered'
  isPatienceOver: boolean
}

/** The weightiest come first. */
const MOST_REASONS = 4

export type UnderwritingDecision =
  | { decision: 'approved' }
  | { decision: 'declined'; reasons: DeclineReason[] }
  | { decision: 'wait'; for: 'portfolio' | 'control' | 'price' }

export function decideUnderwriting(
  facts: UnderwritingFacts,
  policy: LendingPolicy,
): UnderwritingDecision {
  const reasons: DeclineReason[] = []
  if (!facts.isBorrowerEligible) reasons.push('borrower_not_eligible')
  if (facts.deficitCents > 0n) reasons.push('deficit_owed')
  if (facts.limitCents < policy.minLimitCents || facts.limitCents > policy.maxLimitCents) {
    reasons.push('limit_out_of_range')
  }
  const { residencyMaxCents } = facts
  if (residencyMaxCents !== undefined && facts.limitCents > residencyMaxCents) {
    reasons.push('residency_limit_exceeded')
  }
  if (facts.control === 'denied') reasons.push('control_not_confirmed')
  if (reasons.length > 0) return { decision: 'declined', reasons: reasons.slice(0, MOST_REASONS) }

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
