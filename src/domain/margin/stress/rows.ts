import type { Tier } from '../policy.ts'

/** What the ladder makes of a facility at the market's prices once nothing further follows. */
export type Outcome =
  | 'clear'
  /** Nothing sellable has value, so nothing is warned about. */
  | 'unsecured'
  | 'warned'
  | 'held'
  | 'overdue'
  | 'critical'
  | 'cured'
  | 'called'
  | 'stale'

export type OutcomeRow = {
  tenantId: string
  outcome: Outcome
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

type Change = {
  tenantId: string
  before: Outcome
  beforeTier: Tier | null
  outcome: Outcome
  tier: Tier | null
}

export type ChangeGroup = Change & { facilities: number; debt: string }

export type ChangedFacility = Change & {
  facilityId: string
  debt: string
  value: string
}
