import { formatDecimal, formatUsd, maxOf } from '../../../core/money.ts'
import { exceedsLtv, ONE_PPM } from '../../../core/ratio.ts'
import { ONE_USD } from '../../collateral/prices.ts'
import type { LendingPolicy } from '../policy.ts'

export type DrawFacts = {
  /** Charged off on an earlier facility and not recovered. */
  deficitCents: bigint
  limitCents: bigint
  /** Principal and reservations, without this draw. */
  usedCents: bigint
  /** Counts in the ratio, not in the limit. */
  interestCents: bigint
  drawCents: bigint
  /** Of the drawn asset, in 10^-8 USD. */
  price: bigint
  collateralValueCents: bigint
  portfolioAgeMs: number | undefined
  isHealthy: boolean
}

export type DrawRefusal = {
  code: 'credit_limit_exceeded' | 'draws_blocked'
  detail: string
}

/** Returns why a draw is refused, if it is; the ratio is compared exactly. */
export function decideDraw(facts: DrawFacts, policy: LendingPolicy): DrawRefusal | undefined {
  if (facts.deficitCents > 0n) {
    const owed = formatUsd(facts.deficitCents)
    return blocked(
      `The borrower owes a deficit of ${owed} USD on an earlier facility: repay it there.`,
    )
  }
  const drawnAfter = facts.usedCents + facts.drawCents
  if (drawnAfter > facts.limitCents) {
    const left = formatUsd(maxOf(0n, facts.limitCents - facts.usedCents))
    const detail = `The draw adds ${formatUsd(facts.drawCents)} USD to the debt; ${left} USD of the limit is left.`
    return { code: 'credit_limit_exceeded', detail }
  }
  if (facts.price * ONE_PPM < policy.minUsdcPpm * ONE_USD) {
    const least = formatDecimal(policy.minUsdcPpm, 6)
    return blocked(`USDC is below ${least} USD: draw USD, or wait until its price is back.`)
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
