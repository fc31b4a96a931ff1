import type { Generated } from 'kysely'

/** The tables as the application sees them; `migrations/` makes them so. */
export type Tables = {
  tenants: TenantRow
  tenant_counters: { tenant_id: string; last_sequence: Generated<bigint> }
  api_keys: ApiKeyRow
  idempotency_records: IdempotencyRow
  work: WorkRow
  resource_versions: {
    tenant_id: string
    resource_type: string
    resource_id: string
    version: bigint
  }
  signing_secrets: { tenant_id: string; secret_id: string; sealed: string; created_at: Date }
  webhooks: WebhookRow
  webhook_dues: { tenant_id: string; webhook_id: string; due_at: Date | null }
  events: EventRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
  documents: DocumentRow
  residency_policy: ResidencyPolicyRow
  borrowers: BorrowerRow
  signatures: SignatureRow
  compliance_checks: ComplianceCheckRow
  portfolios: PortfolioRow
  portfolio_sources: PortfolioSourceRow
  custodian_positions: CustodianPositionsRow
  price_rounds: PriceRoundRow
  price_feed: PriceFeedRow
  audits: AuditRow
  worker_heartbeat: { only_row: Generated<boolean>; beaten_at: Date }
  sandbox_price_history: {
    tenant_id: string
    asset: string
    set_at: Date
    price: bigint | null
  }
  sandbox_providers: {
    tenant_id: string
    provider: 'custodian' | 'payments'
    next: 'fail' | 'delay' | 'succeed'
  }
  sandbox_calls: {
    tenant_id: string
    call_id: string
    outcome: 'fail' | 'succeed'
    ready_at: Date
    /** Null where the call itself tells it. */
    result: unknown
    called_at: Generated<Date>
  }
  sandbox_liens: {
    tenant_id: string
    facility_id: string
    sequence: bigint
    floor_cents: bigint | null
  }
  provider_callbacks: {
    tenant_id: string
    provider: 'kyc' | 'custodian' | 'payments'
    callback_id: string
    received_at: Date
  }
  clock_advances: { tenant_id: string; request: string; target: Date; held_until: Date | null }
  facilities: FacilityRow
  position_inquiries: PositionInquiryRow
  principal_movements: PrincipalMovementRow
  draws: DrawRow
  repayments: RepaymentRow
  repayment_references: {
    tenant_id: string
    reference: string
    folded: string
    repayment_id: string
  }
  confirmed_transfers: { tenant_id: string; transfer_id: string; repayment_id: string }
  refunds: RefundRow
  refund_redirects: {
    tenant_id: string
    refund_id: string
    number: number
    from_destination: string
    to_destination: string
    refusals: number
    reason: string
    redirected_at: Date
  }
  journal: JournalRow
  journal_entries: { tenant_id: string; facility_id: string; entry_id: string }
  margin_warnings: MarginWarningRow
  margin_calls: MarginCallRow
  margin_sales: MarginSaleRow
  margin_evaluations: {
    tenant_id: string
    evaluation_id: string
    facts: unknown
    month: Generated<Date>
  }
  margin_decisions: MarginDecisionRow
}

type TenantRow = {
  tenant_id: string
  name: string
  clock_offset_ms: Generated<bigint>
  created_at: Date
}

type ApiKeyRow = {
  tenant_id: string
  key_id: string
  public_key: Buffer
  label: string
  scopes: string[]
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

type IdempotencyRow = {
  tenant_id: string
  key: string
  fingerprint: Buffer
  status: number
  body: string
  secret_id: string | null
  recorded_at: Date
}

type WorkRow = {
  tenant_id: string
  topic: string
  subject_id: string
  clock: 'real' | 'tenant'
  priority: number
  due_at: Date
  ready: Generated<boolean>
  lease: string | null
  held_until: Date | null
  generation: Generated<bigint>
  attempts: Generated<number>
  failing_since: Date | null
  last_error: string | null
  traceparent: string | null
}

type WebhookRow = {
  tenant_id: string
  webhook_id: string
  url: string
  event_types: string[]
  label: string | null
  state: 'active' | 'disabled' | 'deleted'
  consecutive_failed_attempts: Generated<number>
  registered_sequence: bigint
  created_at: Date
  disabled_at: Date | null
  deleted_at: Date | null
}

type EventRow = {
  tenant_id: string
  event_id: string
  sequence: bigint
  type: string
  resource_type: string
  resource_id: string
  resource_version: bigint
  facility_id: string | null
  borrower_id: string | null
  occurred_at: Date
  recorded_at: Date
  body: string
  traceparent: string | null
}

export type DeliveryState = 'pending' | 'delivered' | 'dead_lettered' | 'cancelled'

type DeliveryRow = {
  tenant_id: string
  webhook_id: string
  event_id: string
  recorded_at: Date
  sequence: bigint
  event_type: string
  state: DeliveryState
  attempts: Generated<number>
  failures: Generated<number>
  next_attempt_at: Date | null
  due_at: Date | null
  retry_requested: Generated<boolean>
  lease: string | null
}

export type DeliveryAttemptRow = {
  tenant_id: string
  webhook_id: string
  event_id: string
  recorded_at: Date
  number: number
  started_at: Date
  status: number | null
  error: string | null
  duration_ms: number
  response_excerpt: string
  requested: boolean
}

type DocumentRow = {
  tenant_id: string
  contract_type: string
  contract_version: string
  title: string
  download_url: string
  content_type: string
  published_at: Date
  superseded_at: Date | null
  retired_at: Date | null
}

export type BorrowerType = 'individual' | 'business'

type ResidencyPolicyRow = {
  country: string
  state: string
  borrower_type: BorrowerType
  allowed: boolean
  rate_ppm: number | null
  max_limit_cents: bigint | null
  updated_at: Date
}

export type BorrowerRow = {
  tenant_id: string
  borrower_id: string
  type: BorrowerType
  kyc_attested: boolean
  residency_country: string
  residency_state: string | null
  eligible: Generated<boolean>
  blocked_at: Date | null
  blocked_reason: string | null
  latest_facility_id: string | null
  created_at: Date
  updated_at: Date
}

export type SignatureRow = {
  tenant_id: string
  signature_id: string
  borrower_id: string
  number: number
  full_name: string
  email: string
  ip_address: string
  signed_at: Date
  contract_type: string
  contract_version: string
  recorded_at: Date
}

export type CheckKind = 'kyc' | 'kyb' | 'aml'
export type CheckStatus = 'pending' | 'review' | 'passed' | 'failed'

export type ComplianceCheckRow = {
  tenant_id: string
  check_id: string
  borrower_id: string
  kind: CheckKind
  signature_id: string
  subject: string
  status: CheckStatus
  reference: string | null
  note: string | null
  created_at: Date
  decided_at: Date | null
}

export type PortfolioSource = 'push' | 'custodian'

type PortfolioSourceRow = { tenant_id: string; mode: PortfolioSource; set_at: Date }

type CustodianPositionsRow = {
  tenant_id: string
  borrower_id: string
  /** Units by asset, as text. */
  positions: Record<string, string>
  read_at: Date
}

type PortfolioRow = {
  tenant_id: string
  borrower_id: string
  /** Microseconds since 1970, as the tenant gave it. */
  as_of: bigint
  digest: Buffer
  /** Units by asset, as decimal text. */
  positions: Record<string, string>
  received_at: Date
}

/** Prices are decimal text and instants ISO 8601: JSON has neither bigint nor Date. */
type PriceRoundRow = {
  accepted_at: Date
  prices: Record<string, { price: string; at: string }>
  sources: Record<string, { source: string; price: string; at: string }[]>
}

type PriceFeedRow = {
  only_row: Generated<boolean>
  slot: Generated<bigint>
  candidates: Generated<Record<string, { price: string; since: string }>>
  evaluating_until: Date | null
}

type AuditRow = {
  only_row: Generated<boolean>
  slot: Generated<bigint>
  finished_at: Date | null
  /** How many, by invariant. */
  violations: Generated<Record<string, number>>
  unfinished: Generated<number>
  /** By scan: what was written before has been checked. */
  progress: Generated<Record<string, string>>
  marked_from: Generated<Date>
}

export type FacilityState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'CLOSING' | 'CLOSED'
export type CloseReason = 'repaid' | 'charged_off' | 'cancelled'

export type FacilityRow = {
  tenant_id: string
  facility_id: string
  borrower_id: string
  state: FacilityState
  limit_cents: bigint
  rate_ppm: number
  custody_account: string | null
  principal_cents: Generated<bigint>
  reserved_cents: Generated<bigint>
  interest_booked_cents: Generated<bigint>
  interest_paid_cents: Generated<bigint>
  refund_due_cents: Generated<bigint>
  interest_numerator: Generated<bigint>
  accrued_at: Date
  custodian_floor_cents: Generated<bigint>
  custodian_sequence: Generated<bigint>
  floor_sequence: Generated<bigint>
  floor_pushed_cents: Generated<bigint>
  floor_pushed_at: Date | null
  decline_reasons: string[] | null
  close_reason: CloseReason | null
  created_at: Date
  updated_at: Date
  decisioned_at: Date | null
  closed_at: Date | null
}

export type InquiryPurpose = 'application' | 'reading' | 'escalation' | 'sale'

type PositionInquiryRow = {
  tenant_id: string
  facility_id: string
  purpose: InquiryPurpose
  number: bigint
  basis: string
  asked_at: Date | null
}

type PrincipalMovementRow = {
  tenant_id: string
  facility_id: string
  source_id: string
  part: Generated<number>
  effective_at: Date
  delta_cents: bigint
}

type DrawRow = {
  tenant_id: string
  draw_id: string
  facility_id: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED'
  asset: string
  amount_units: bigint
  debt_cents: bigint
  destination: string
  reference: string | null
  failure_code: string | null
  failure_retryable: boolean | null
  payout_sent_at: Date | null
  requested_at: Date
  completed_at: Date | null
}

export type RepaymentFailure = 'expired' | 'not_received' | 'asset_mismatch' | 'reported_failed'

type RepaymentRow = {
  tenant_id: string
  repayment_id: string
  facility_id: string
  margin_warning_number: number | null
  inferred: Generated<boolean>
  status: 'PENDING' | 'REPORTED' | 'APPLIED' | 'FAILED'
  asset: string
  amount_units: bigint
  delivered_units: bigint | null
  reference: string | null
  confirmed_asset: string | null
  confirmed_units: bigint | null
  interest_cents: bigint | null
  principal_cents: bigint | null
  refund_cents: bigint | null
  failure_code: RepaymentFailure | null
  inquiry: Generated<number>
  requested_at: Date
  reported_at: Date | null
  hold_lost_ms: Generated<bigint>
  outages_until: Generated<Date | null>
  applied_at: Date | null
}

type RefundRow = {
  tenant_id: string
  refund_id: string
  facility_id: string
  source_id: string
  status: 'PENDING' | 'PAID'
  asset: string
  amount_units: bigint
  cents: bigint
  destination: string
  refusals: Generated<number>
  /** The refusals that there were when a payment was last ordered. */
  ordered: Generated<number | null>
  reference: string | null
  created_at: Date
  paid_at: Date | null
}

type JournalRow = {
  tenant_id: string
  facility_id: string
  entry_id: string
  kind: string
  accounts: string[]
  assets: string[]
  amounts: bigint[]
  booked_at: Date
  /** Real time, by the database's clock. */
  written_at: Generated<Date>
  /** The month of `written_at`: its partition. */
  month: Generated<Date>
}

export type CuredBy = 'repayment' | 'collateral' | 'price'

type MarginWarningRow = {
  tenant_id: string
  facility_id: string
  number: number
  tier: 1 | 2 | 3
  status: 'OPEN' | 'CURED' | 'ESCALATED'
  raised_at: Date
  ltv_at_raise: string
  cure_deadline: Date
  window_deadline: Generated<Date | null>
  extended_seconds: Generated<number>
  outages_until: Date
  unevaluated_since: Generated<Date | null>
  cured_at: Date | null
  cured_by: CuredBy | null
  escalated_at: Date | null
  cure_amount_cents: bigint | null
  cure_collateral_cents: bigint | null
}

export type CallOutcome = 'partial' | 'full' | 'not_needed' | 'deficit'

type MarginCallRow = {
  tenant_id: string
  facility_id: string
  number: number
  margin_warning_number: number
  status: 'PENDING' | 'SELLING' | 'COMPLETED'
  /** Units by asset in the order of sale, as text. */
  planned: { asset: string; units: string }[] | null
  target_ltv_ppm: bigint | null
  outcome: CallOutcome | null
  costs_cents: Generated<bigint>
  interest_cents: Generated<bigint>
  principal_cents: Generated<bigint>
  surplus_cents: Generated<bigint>
  deficit_cents: Generated<bigint>
  created_at: Date
  started_at: Date | null
  completed_at: Date | null
}

type MarginSaleRow = {
  tenant_id: string
  facility_id: string
  call_number: number
  number: number
  asset: string
  ordered_units: bigint
  in_kind: boolean
  status: 'ORDERED' | 'FILLED' | 'REFUSED'
  filled_units: bigint | null
  proceeds_cents: bigint | null
  costs_cents: bigint | null
  ordered_at: Date
  acknowledged_at: Generated<Date | null>
  executed_at: Date | null
}

type MarginDecisionRow = {
  tenant_id: string
  facility_id: string
  warning_number: number
  number: number
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  decided_at: Date
  facts: unknown
  evaluation_id: string | null
  written_at: Generated<Date>
  month: Generated<Date>
}
