// What the interface sends and takes (interface, Resources and their fields). Timestamps are
// ISO 8601 UTC strings.
import type { WebhookEvent } from './verify-webhook.ts'

/** A contract that your borrowers must accept. */
export type ContractDocument = {
  contract_type: string
  /** Year and month, for example `2026-11`. */
  contract_version: string
  title: string
  download_url: string
  content_type: string
}

export type NewBorrower = {
  type: 'individual' | 'business'
  kyc_attested: boolean
  /** ISO 3166-1 alpha-2. */
  residency_country: string
  /** ISO 3166-2 without the country; required for the US and refused elsewhere. */
  residency_state?: string
}

export type Borrower = NewBorrower & {
  id: string
  eligible: boolean
  created_at: string
  updated_at: string
}

/** `contract_type` and `contract_version` as the documents list returned them. */
export type NewSignature = {
  full_name: string
  email: string
  ip_address: string
  signed_at: string
  contract_type: string
  contract_version: string
}

export type Signature = NewSignature & { id: string; recorded_at: string }

/** All that a borrower holds at one instant, each asset once, quantities as decimal strings. */
export type PortfolioSnapshot = {
  /** UTC, with up to six fraction digits: the order of snapshots. */
  as_of: string
  positions: readonly { asset: string; quantity: string }[]
}

/** `as_of` is that of the newest snapshot stored (before the first: of the one that waits). */
export type PortfolioPush = { applied: boolean; as_of: string }

export type PortfolioSource = { mode: 'push' | 'custodian' }

/** A decimal string, and what it is counted in. */
export type Amount = { amount: string; asset: string }

export type NewFacility = {
  borrower_id: string
  /** In USD. */
  limit: Amount
  /** Required on the live stack. */
  custody_account?: string
}

export type FacilityState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'CLOSING' | 'CLOSED'

/** A credit line with its debt and ratio as of the answer. */
export type Facility = {
  id: string
  borrower_id: string
  state: FacilityState
  limit: Amount
  /** Annual, such as `0.1`. */
  rate: string
  /** US dollars; `total` is principal and interest. */
  outstanding: { principal: string; interest: string; reserved: string; total: string }
  collateral_value_usd: string
  required_floor_usd: string
  custodian_floor_usd: string
  ltv: string
  health: Health
  /** Owed back to the borrower and on its way. */
  refund_due?: string
  decline_reasons?: string[]
  created_at: string
  updated_at: string
  decisioned_at?: string
}

export type NewDraw = Amount & { destination: string }

export type Draw = NewDraw & {
  id: string
  facility_id: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  reference?: string
  failure?: { code: string; retryable: boolean }
  requested_at: string
  completed_at?: string
}

/** Name the margin warning whenever the repayment is to cure one. */
export type NewRepayment = Amount & { margin_warning_number?: number }

export type Repayment = NewRepayment & {
  id: string
  facility_id: string
  inferred?: boolean
  status: 'PENDING' | 'REPORTED' | 'APPLIED' | 'FAILED'
  /** To be executed in order. */
  instructions: (Amount & { operation: string; source: string; destination: string })[]
  /** What you reported; what was received; where it went. */
  delivered?: Amount
  confirmed?: Amount
  allocation?: { interest: Amount; principal: Amount; refund_due: Amount }
  reference?: string
  failure?: string
  requested_at: string
  reported_at?: string
  applied_at?: string
}

/** `reference` is that of the external transfer, and is reported once. */
export type ExecutionReport =
  | { status: 'completed'; delivered: Amount; reference: string }
  | { status: 'failed'; delivered?: Amount; reference?: string }

export type Health = 'HEALTHY' | 'WARNING' | 'DEFICIT' | 'MARGIN_CALL'

/** What a facility's collateral is worth, and what it must be worth. */
export type Collateral = {
  /** Without a price or a haircut it is no collateral. */
  positions: {
    asset: string
    quantity: string
    price_usd?: string
    haircut?: string
    value_usd: string
  }[]
  collateral_value_usd: string
  required_floor_usd: string
  ltv: string
  health: Health
  valued_at: string
  valuation_status: 'FRESH' | 'STALE'
}

/** One of the two amounts cures it: money, or collateral of that value. */
export type MarginWarning = {
  facility_id: string
  number: number
  tier: number
  status: 'OPEN' | 'CURED' | 'ESCALATED'
  cure_amount_usd: string
  cure_collateral_usd: string
  cure_deadline: string
  ltv_at_raise: string
  raised_at: string
  cured_at?: string
  cured_by?: 'repayment' | 'collateral' | 'price'
  escalated_at?: string
  /** By how much an outage of the service has moved the deadline. */
  extended_seconds: number
  /** While it is open: what would be sold now, down to which loan-to-value. */
  if_escalated?: { sale_usd: string; target_ltv: string }
}

/** A decision about a warning, with everything that it was made from. */
export type MarginDecision = {
  number: number
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  decided_at: string
  facts: {
    outcome: {
      tier?: number
      cure_deadline?: string
      cured_by?: 'repayment' | 'collateral' | 'price'
      reason?: 'deadline' | 'critical'
    }
    trigger: 'repayment' | 'collateral' | 'price'
    debt: { principal_usd: string; interest_usd: string; total_usd: string; rate: string }
    /** What the positions counted at the rounds; absent where prices decided nothing. */
    values?: { highest_usd: string; lowest_usd: string; latest_usd: string }
    positions: { asset: string; quantity: string; haircut?: string; value_usd: string }[]
    /** The prices of each round looked at, the latest last. */
    rounds: {
      asset: string
      price_usd: string
      accepted_at: string
      sources: { source: string; price_usd: string; at: string }[]
    }[][]
    /** As the warning stood before, and the one before it. */
    warning?: { tier: number; cure_deadline: string }
    last_cure?: { cured_at: string; seconds_left: number }
    /** Repayments reported in time and not confirmed yet. */
    reported: { amount_usd: string; holds_until: string }[]
    /** The terms in force; ratios as decimal strings. */
    policy: {
      version: string
      floor_ltv: string
      cure_ltv: string
      tiers: { tier: number; above_ltv: string; cure_seconds: number }[]
      critical_ltv: string
      confirm_seconds: number
      least_usd: string
    }
  }
}

/** A sale of a facility's collateral, and where its proceeds went. */
export type MarginCall = {
  facility_id: string
  number: number
  margin_warning_number: number
  status: 'PENDING' | 'SELLING' | 'COMPLETED'
  outcome?: 'partial' | 'full' | 'not_needed' | 'deficit'
  planned: { asset: string; quantity: string }[]
  sold: { asset: string; quantity: string; proceeds_usd: string }[]
  costs_usd: string
  allocation: { interest: Amount; principal: Amount; refund_due: Amount }
  surplus_usd: string
  deficit_usd: string
  started_at?: string
  completed_at?: string
}

/** One page of a list, newest first; `next_cursor` is there while there is more. */
export type Page<Item> = { items: Item[]; next_cursor?: string; has_more: boolean }

/** Where to go on, and how much at once. */
export type PageRequest = { from?: string; limit?: number }

export type NewWebhook = {
  url: string
  /** Omitted or empty: every event. */
  event_types?: readonly string[]
  label?: string
}

export type ListedWebhook = { id: string; url: string; event_types: string[]; label?: string }

export type Webhook = ListedWebhook & {
  consecutive_failed_attempts: number
  state: 'active' | 'disabled'
}

export type EventPage = { items: WebhookEvent[]; next_cursor: string; has_more: boolean }

export type Simulation = { webhook_id: string; event_type: string; data: Record<string, unknown> }

export type SimulationResult = {
  webhook_id: string
  event_type: string
  /** `status` is 0 and `error` names the cause when the endpoint gave no answer. */
  response: { status: number; body: string; error: string | null }
}

export type SandboxOutcome = 'pass' | 'fail' | 'review'

export type SandboxProviderAnswer = 'fail' | 'delay' | 'succeed'
