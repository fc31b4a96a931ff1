import type { Prices } from '../../collateral/prices.ts'
import { type Valuation, valuePortfolio } from '../../collateral/valuation.ts'
import type { LendingContext } from '../lending-context.ts'
import { loadHoldings } from './holdings.ts'

export type CollateralView = {
  valuation: Valuation
  receivedAt: Date | undefined
  readAt: Date | undefined
}

export async function loadCollateral(
  { tx, tenantId, policy }: LendingContext,
  borrowerId: string,
  prices: Prices,
): Promise<CollateralView> {
  const holdings = (await loadHoldings(tx, tenantId, [borrowerId])).get(borrowerId)
  // Until the custodian has answered, a deposit counts as pushed: it is asked once there is a debt.
  const curing = holdings?.answeredAt && holdings.curing
  return {
    valuation: valuePortfolio(curing ?? holdings?.positions ?? [], prices, policy.haircuts),
    receivedAt: holdings?.receivedAt,
    readAt: holdings?.readAt,
  }
}
