// These are the contents of a sale receipt. Whole numbers that may be large are strings: cents, the smallest units of
// assets, prices in 10^-8 USD, ratios in parts per million. Times are ISO 8601 UTC.

export type Position = { asset: string; units: string; curing_units?: string }

export type Price = {
  asset: string
  price: string
  at: string
  sources: { source: string; price: string; at: string }[]
}

export type Debt = {
  principal_cents: string
  rate_ppm: string
  /** Exact interest until `accrued_at`: cents times parts per million times milliseconds. */
  interest_numerator: string
  interest_paid_cents: string
  accrued_at: string
}

export type Terms = {
  version: string
  floor_ltv_ppm: string
  cure_ltv_ppm: string
  tiers: { tier: number; above_ltv_ppm: string; window_ms: number }[]
  critical_ltv_ppm: string
  flicker_ms: number
  relapse_ms: number
  relapse_least_ms: number
  least_cents: string
  silence_ms: number
  stale_ms: number
  target_ltv_ppm: string
  sale_fee_ppm: string
  deep_ltv_ppm: string
  dust_cents: string
  haircuts_ppm: Record<string, string>
}

/** `terms` and `rounds` are places in the lists of the receipt. */
export type Decision = {
  number: number
  kind: string
  at: string
  terms: number
  debt: Debt
  debt_cents: string
  eased_cents?: string
  positions: Position[]
  pushed?: Position[]
  held?: Position[]
  is_held_sellable?: boolean
  rounds: number[]
  values?: { high_cents: string; low_cents: string; latest_cents: string }
  warning?: { tier: number; cure_deadline: string; window_deadline: string; flicker_until?: string }
  push?: { received_at: string; is_new: boolean; asked_since?: string; answered_at?: string }
  last_cure?: { cured_at: string; left_ms: number }
  reported: { cents: string; holds_until: string }[]
  at_raise?: {
    at: string
    debt: Debt
    floor_ltv_ppm: string
    haircuts_ppm: Record<string, string>
    positions: Position[]
    rounds: number[]
  }
  result: { kind: string; tier?: number; cure_deadline?: string; reason?: string }
}

export type Plan = {
  at: string
  terms: number
  debt: Debt
  debt_cents: string
  eased_cents?: string
  /** The custodian reported these positions just before the plan was made. */
  positions: Position[]
  rounds: number[]
}

export type Step = {
  number: number
  plan?: Plan
  order: {
    asset: string
    units: string
    in_kind: boolean
    ordered_at: string
    reference?: { price: string; venues: string[] }
    acknowledged_at?: string
    recalled_at?: string
    status: 'ORDERED' | 'FILLED' | 'REFUSED'
  }
  fill?: {
    units: string
    proceeds_cents: string
    costs_cents: string
    executed_at?: string
    /** Below the reference price. */
    slippage_bps?: string
    booked_at?: string
    debt?: Debt
    interest_cents?: string
    principal_cents?: string
    surplus_cents?: string
  }
}

type Balance = { principal_cents: string; interest_cents: string }

export type Receipt = {
  type: 'sale-receipt/1'
  tenant_id: string
  borrower_id: string
  facility_id: string
  margin_call_number: number
  margin_warning_number: number
  made_at: string
  rules: { least_after_pause_ms: number; outage_ms: number }
  assets: Record<
    string,
    { digits: number; in_kind: boolean; is_dollar_claim: boolean; sale_rank: number }
  >
  terms: Terms[]
  rounds: Price[][]
  decisions: Decision[]
  steps: Step[]
  end: Plan & { outcome: 'partial' | 'full' | 'not_needed' | 'deficit'; reason: string }
  totals: Record<
    | 'proceeds_cents'
    | 'costs_cents'
    | 'interest_cents'
    | 'principal_cents'
    | 'surplus_cents'
    | 'deficit_cents',
    string
  >
  pauses: { kind: 'outage' | 'hold' | 'forbearance'; from: string; until?: string }[]
  raises: {
    event_id: string
    raised_at: string
    notices: { channel: string; at: string; recorded_at: string }[]
  }[]
  statement: {
    from: string
    to: string
    opening: Balance
    lines: (Balance & {
      type: string
      value_at: string
      source_id?: string
      booked_at?: string
      balance: Balance
    })[]
    closing: Balance
  }
}

export type SignedReceipt = {
  receipt: Receipt
  sha256: string
  signature: { algorithm: 'Ed25519'; key_id: string; public_key: string; value: string }
}

/** The public halves, as `/.well-known/receipt-keys.json` has them. */
export type ReceiptKeys = { keys: { key_id: string; public_key: string }[] }
