import { listFacts } from '../../core/assets.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Haircuts } from '../collateral/valuation.ts'
import {
  type BoundFacility,
  COLLATERAL_TERMS,
  type CollateralTerms,
  type LendingPolicy,
} from '../facilities/policy.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'

export type Tier = 1 | 2 | 3

/** Ratios in parts per million, money in cents. */
export type MarginPolicy = CollateralTerms & {
  /** The number of a stored version, or the name of the service's own terms. */
  version: string
  tiers: readonly { tier: Tier; aboveLtvPpm: bigint; windowMs: number }[]
  criticalLtvPpm: bigint
  /** Rising above these is noticed before any warning; ascending. */
  noticeLtvPpm: readonly bigint[]
  /** How long a price must hold before it can raise, cure or sell. */
  confirmMs: number
  longestWindowMs: number
  /** A value clear at some prices of the window only is waited for this long after the deadline. */
  flickerMs: number
  /** So soon after a cure by price, a warning gets no more time than the cured one had left. */
  relapseMs: number
  relapseLeastMs: number
  leastCents: bigint
  /** What is asked still cures when it arrives this long after the deadline. */
  cureSlackMs: number
  /** A call sells down to this ratio, at this planned fee. */
  targetLtvPpm: bigint
  saleFeePpm: bigint
  /** From this ratio on, or if less than `dustCents` would remain, the whole debt is sold off. */
  deepLtvPpm: bigint
  dustCents: bigint
  holdMs: Readonly<Record<string, number>>
  /** Without an answer of the custodian for this long, what was pushed raises a warning. */
  silenceMs: number
  /** A push that would cure holds the escalation for this long. */
  pushHoldMs: number
  /** How often the custodian is asked again where it holds other than what is pushed. */
  recheckMs: number
  /** How often the custodian is asked about a debt without sellable collateral. */
  deficitMs: number
  staleMs: number
}

export const DEFAULT_MARGIN_POLICY: MarginPolicy = {
  version: '2026-11',
  ...COLLATERAL_TERMS,
  tiers: [
    { tier: 1, aboveLtvPpm: COLLATERAL_TERMS.floorLtvPpm, windowMs: 48 * HOUR_MS },
    { tier: 2, aboveLtvPpm: 750_000n, windowMs: 12 * HOUR_MS },
    { tier: 3, aboveLtvPpm: 800_000n, windowMs: 2 * HOUR_MS },
  ],
  criticalLtvPpm: 830_000n,
  noticeLtvPpm: [600_000n, 650_000n],
  confirmMs: 60 * SECOND_MS,
  longestWindowMs: 10 * MINUTE_MS,
  flickerMs: 10 * MINUTE_MS,
  relapseMs: 24 * HOUR_MS,
  relapseLeastMs: 2 * HOUR_MS,
  leastCents: 10_00n,
  cureSlackMs: 24 * HOUR_MS,
  targetLtvPpm: 550_000n,
  saleFeePpm: 20_000n,
  deepLtvPpm: 950_000n,
  dustCents: 1_000_00n,
  holdMs: Object.fromEntries(listFacts(({ money }) => money?.holdMs)),
  silenceMs: 60 * SECOND_MS,
  pushHoldMs: HOUR_MS,
  recheckMs: HOUR_MS,
  deficitMs: DAY_MS,
  staleMs: 300 * SECOND_MS,
}

/** What decides a facility. */
export type Terms = { policy: LendingPolicy; marginPolicy: MarginPolicy }

export type TermsOf = (facility: BoundFacility) => Terms

/** In force at an instant of a tenant's time: what is approved then is bound to them. Decisions about a
 * facility take `termsOf` it. */
export type TermsInForce = Terms & {
  termsOf: TermsOf
  /** All that a facility may be bound to. */
  versions: readonly Terms[]
}

/** For a house with one version. */
export function alwaysBy(terms: Terms): TermsInForce {
  return { ...terms, termsOf: () => terms, versions: [terms] }
}

/** Reads what is stored at most every few seconds. */
export type TermsAt = (db: Db, now: Date) => Promise<TermsInForce>

/** An open transaction, with the terms in force at its instant. */
export async function bindTerms<Context extends { termsAt: TermsAt }>(
  context: Context,
  tenant: TenantContext,
): Promise<Context & TenantContext & TermsInForce> {
  return { ...context, ...tenant, ...(await context.termsAt(tenant.tx, tenant.now)) }
}

export type MarginTerms = { policy: MarginPolicy; haircuts: Haircuts }

export const DEFAULT_MARGIN_TERMS: MarginTerms = toMarginTerms(DEFAULT_MARGIN_POLICY)

export function toMarginTerms(policy: MarginPolicy): MarginTerms {
  return { policy, haircuts: policy.haircuts }
}
