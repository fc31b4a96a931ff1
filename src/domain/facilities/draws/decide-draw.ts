import { formatUsd, maxOf } from '../../../core/money.ts'
import { exceedsLtv } from '../../../core/ratio.ts'
import type { LendingPolicy } from '../policy.ts'

export type DrawFacts = {
  limitCents: bigint
  /** Principal and reservations, without this draw. */
  usedCents: bigint
  /** Interest owed, which counts in the ratio and not in the limit. */
  interestCents: bigint
  /** What this draw adds. */
  drawCents: bigint
  collateralValueCents: bigint
  portfolioAgeMs: number | undefined
  isHealthy: boolean
}

export type DrawRefusal = {
  code: 'credit_limit_exceeded' | 'draws_blocked'
  detail: string
}

/**
 * Whether a draw may be made, from the facility's balances and the value of its collateral; the
 * reason when not. The ratio after the draw is compared exactly, reservations counted.
 */
export function decideDraw(facts: DrawFacts, policy: LendingPolicy): DrawRefusal | undefined {
  const drawnAfter = facts.usedCents + facts.drawCents
  if (drawnAfter > facts.limitCents) {
    const left = formatUsd(maxOf(0n, facts.limitCents - facts.usedCents))
    const detail = `The draw adds ${formatUsd(facts.drawCents)} USD to the debt; ${left} USD of the limit is left.`
    return { code: 'credit_limit_exceeded', detail }
  }
  if (!facts.isHealthy) return blocked('The facility is not HEALTHY.')
  const { portfolioAgeMs } = facts
  if (portfolioAgeMs === undefined || portfolioAgeMs > policy.drawPortfolioAgeMs) {
    return blocked('The portfolio is too old; push a fresh one.')
  }
  const debtAfter = drawnAfter + facts.interestCents
  if (exceedsLtv(debtAfter, facts.collateralValueCents, policy.drawLtvPpm)) {
    return blocked('The loan-to-value after the draw would be above the maximum.')
  }
  return undefined
}

const blocked = (detail: string): DrawRefusal => ({ code: 'draws_blocked', detail })
