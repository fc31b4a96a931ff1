import { type Valuation, valuePortfolio } from '../../collateral/valuation.ts'
import type { LendingContext } from '../lending-context.ts'
import { loadHoldings } from './holdings.ts'

export type CollateralView = {
  valuation: Valuation
  receivedAt: Date | undefined
  readAt: Date | undefined
}

export async function loadCollateral(
  { tx, tenantId, prices, policy, now }: LendingContext,
  borrowerId: string,
): Promise<CollateralView> {
  const holdings = (await loadHoldings(tx, tenantId, [borrowerId])).get(borrowerId)
  const latest = await prices.latest(tx, tenantId, now)
  // Until the custodian has answered, a deposit counts as pushed: it is asked once there is a debt.
  const curing = holdings?.answeredAt && holdings.curing
  return {
    valuation: valuePortfolio(curing ?? holdings?.positions ?? [], latest, policy.haircuts),
    receivedAt: holdings?.receivedAt,
    readAt: holdings?.readAt,
  }
}
