import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { HAIRCUTS_PPM, type Haircuts } from '../collateral/valuation.ts'

/** What lending and the margin ladder share. */
export type CollateralTerms = {
  /** A value below ⌈debt / this⌉ is a breach. */
  floorLtvPpm: bigint
  /** The higher floor while a warning is open or a margin call is live. */
  cureLtvPpm: bigint
  haircuts: Haircuts
}

export const COLLATERAL_TERMS: CollateralTerms = {
  floorLtvPpm: 700_000n,
  cureLtvPpm: 600_000n,
  haircuts: HAIRCUTS_PPM,
}

/** Ratios and rates in parts per million; see docs/lending.md. */
export type LendingPolicy = CollateralTerms & {
  /** Of the margin policy; 0: the service's own. */
  termsVersion: number
  /** Interest on less does not pay for the work on a facility. */
  minLimitCents: bigint
  /** A residency rule sets less for a country; more to one borrower is a decision of the house. */
  maxLimitCents: bigint
  /** Annual, where the residency policy names none. */
  defaultRatePpm: number
  underwritingLtvPpm: bigint
  /** After a draw, reservations counted. */
  drawLtvPpm: bigint
  /** Of a dollar: below it USDC is not drawn. */
  minUsdcPpm: bigint
  floorProjectionMs: number
  underwritingPortfolioAgeMs: number
  underwritingPatienceMs: number
  drawPortfolioAgeMs: number
  drawPriceAgeMs: number
  repaymentPatienceMs: number
  waiverCents: bigint
  documentGraceDays: number
  requireControl: boolean
}

/** What shows by which terms a facility is decided. */
export type BoundFacility = { termsVersion: number | undefined; decisionedAt: Date | undefined }

export type LendingTerms = {
  /** In force: what is approved now is bound to it. */
  policy: LendingPolicy
  /** A facility's own; those in force where it is not approved. */
  termsOf: (facility: BoundFacility) => { policy: LendingPolicy }
}

/** The terms at an instant of the tenant's time. */
export type LendingTermsAt = (db: Db, now: Date) => Promise<LendingTerms>

export const DEFAULT_POLICY: LendingPolicy = {
  termsVersion: 0,
  ...COLLATERAL_TERMS,
  minLimitCents: 1_000_00n,
  maxLimitCents: 5_000_000_00n,
  defaultRatePpm: 100_000,
  underwritingLtvPpm: 500_000n,
  drawLtvPpm: 500_000n,
  minUsdcPpm: 990_000n,
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
