import type { Tier } from '../policy.ts'

/** What the ladder makes of a facility at the market's prices once nothing further follows. */
export type Outcome =
  | 'clear'
  /** Nothing sellable has value, so nothing is warned about. */
  | 'unsecured'
  | 'warned'
  /** Past its deadline; reported repayments hold the escalation. */
  | 'held'
  /** Escalated with the deadline past, or as critical. */
  | 'overdue'
  | 'critical'
  | 'cured'
  /** In a live margin call. */
  | 'called'
  /** Old or missing prices: nothing is decided. */
  | 'stale'

export type OutcomeRow = {
  tenantId: string
  outcome: Outcome
  /** Of an open warning now, and of the warning that would be open. */
  warnedTier: Tier | null
  tier: Tier | null
  debt: bigint
  value: bigint
}

export type FacilityRow = OutcomeRow & { facilityId: string }

/** Units, proceeds and costs by asset, as whole numbers in text. */
export type SaleRow = { deficit: bigint; sold: Sums; gross: Sums; costs: Sums }

type Sums = Record<string, string>

export type GroupRow = OutcomeRow &
  SaleRow & {
    /** The collateral of most value; null without any. */
    asset: string | null
    facilities: number
    deficits: number
  }

/** The tier is that of a warning that stays open. */
type Change = {
  tenantId: string
  before: Outcome
  beforeTier: Tier | null
  outcome: Outcome
  tier: Tier | null
}

export type ChangeGroup = Change & { facilities: number; debt: string }

/** Whole cents, in text. */
export type ChangedFacility = Change & {
  facilityId: string
  debt: string
  value: string
}
