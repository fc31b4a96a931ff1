import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'

/** The operator's terms of lending; see docs/decisions/lending.md. Ratios and rates in parts per million. */
export type LendingPolicy = {
  minLimitCents: bigint
  maxLimitCents: bigint
  /** Annual, where the residency policy names none. */
  defaultRatePpm: number
  /** A limit may be at most this share of the collateral's value at underwriting. */
  underwritingLtvPpm: bigint
  /** Debt after a draw, reservations counted, may be at most this share of the value. */
  drawLtvPpm: bigint
  /** Below this the facility is in breach; the custodian's floor follows from it. */
  floorLtvPpm: bigint
  /** The higher floor that holds while a warning is open or a call lives. */
  openFloorLtvPpm: bigint
  /** The custodian's floor holds for a debt that has grown for this long. */
  floorProjectionMs: number
  underwritingPortfolioAgeMs: number
  underwritingPatienceMs: number
  drawPortfolioAgeMs: number
  drawPriceAgeMs: number
  /** A repayment that nobody reports in this time has failed. */
  repaymentPatienceMs: number
  /** Closing waives a debt up to this. */
  waiverCents: bigint
  /** How long a superseded contract version may still be signed. */
  documentGraceDays: number
  /** On live the custodian must confirm control of the account. */
  requireControl: boolean
}

export const DEFAULT_POLICY: LendingPolicy = {
  minLimitCents: 1_000_00n,
  maxLimitCents: 5_000_000_00n,
  defaultRatePpm: 100_000,
  underwritingLtvPpm: 500_000n,
  drawLtvPpm: 500_000n,
  floorLtvPpm: 700_000n,
  openFloorLtvPpm: 600_000n,
  floorProjectionMs: 48 * HOUR_MS,
  underwritingPortfolioAgeMs: 15 * MINUTE_MS,
  underwritingPatienceMs: 24 * HOUR_MS,
  drawPortfolioAgeMs: 24 * HOUR_MS,
  drawPriceAgeMs: 60 * SECOND_MS,
  repaymentPatienceMs: 72 * HOUR_MS,
  waiverCents: 1_00n,
  documentGraceDays: 30,
  requireControl: false,
}
