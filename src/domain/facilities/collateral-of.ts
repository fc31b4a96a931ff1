import type { Db } from '../../db/database.ts'
import type { PriceFeed } from '../collateral/prices.ts'
import { HAIRCUTS_PPM, type Valuation, valuePortfolio } from '../collateral/valuation.ts'
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
  db: Db,
  prices: PriceFeed,
  tenantId: string,
  borrowerId: string,
  now: Date,
): Promise<CollateralView> {
  const held = (await loadHoldings(db, tenantId, [borrowerId])).get(borrowerId)
  const latest = await prices.latest(db, tenantId, now)
  return {
    valuation: valuePortfolio(held?.positions ?? [], latest, HAIRCUTS_PPM),
    receivedAt: held?.receivedAt,
    readAt: held?.readAt,
  }
}
