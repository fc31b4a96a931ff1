import { HAIRCUTS_PPM, type Valuation, valuePortfolio } from '../../collateral/valuation.ts'
import type { LendingContext } from '../lending-context.ts'
import { loadHoldings } from './holdings.ts'

/** The collateral behind a facility at an instant. */
export type CollateralView = {
  valuation: Valuation
  /** When the newest portfolio was received; undefined when none ever was. */
  receivedAt: Date | undefined
  /** When the custodian was last asked, where it is a source of this borrower's positions. */
  readAt: Date | undefined
}

/** Values a borrower's collateral at the last accepted prices. */
export async function loadCollateral(
  { tx, tenantId, prices, now }: LendingContext,
  borrowerId: string,
): Promise<CollateralView> {
  const held = (await loadHoldings(tx, tenantId, [borrowerId])).get(borrowerId)
  const latest = await prices.latest(tx, tenantId, now)
  return {
    valuation: valuePortfolio(held?.positions ?? [], latest, HAIRCUTS_PPM),
    receivedAt: held?.receivedAt,
    readAt: held?.readAt,
  }
}
