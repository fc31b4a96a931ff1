import type { Db } from '../../db/database.ts'
import { countPositions, loadPositionSources } from '../collateral/position-sources.ts'
import type { PriceFeed } from '../collateral/prices.ts'
import { HAIRCUTS_PPM, type Valuation, valuePortfolio } from '../collateral/valuation.ts'

/** The collateral behind a facility at an instant. */
export type CollateralView = {
  valuation: Valuation
  /** When the newest portfolio was received; undefined when none ever was. */
  receivedAt: Date | undefined
}

/** Values a borrower's collateral at the last accepted prices. */
export async function loadCollateral(
  db: Db,
  prices: PriceFeed,
  tenantId: string,
  borrowerId: string,
  now: Date,
): Promise<CollateralView> {
  const sources = (await loadPositionSources(db, tenantId, [borrowerId])).get(borrowerId)
  const latest = await prices.latest(db, tenantId, now)
  return {
    valuation: valuePortfolio(sources ? countPositions(sources) : [], latest, HAIRCUTS_PPM),
    receivedAt: sources?.pushed.receivedAt,
  }
}
