import type { Generated } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'

export type MarginTables = {
  margin_warnings: MarginWarningRow
  margin_raises: {
    tenant_id: string
    event_id: string
    facility_id: string
    warning_number: number
    raised_at: Date
  }
  margin_notices: MarginNoticeRow
  margin_calls: MarginCallRow
  margin_sales: MarginSaleRow
  margin_receipts: {
    tenant_id: string
    facility_id: string
    call_number: number
    body: string
    sha256: Buffer
    key_id: string
    public_key: Buffer
    signature: Buffer
  }
  receipt_keys: {
    key_id: string
    public_key: Buffer
    sealed: string | null
    created_at: Date
    retired_at: Date | null
  }
  margin_evaluations: {
    tenant_id: string
    evaluation_id: string
    facts: unknown
    month: Generated<Date>
  }
  margin_decisions: MarginDecisionRow
  margin_policy_versions: PolicyVersionRow
  margin_policy_withdrawals: {
    number: number
    note: string
    proposed_by: string
    signed_by: string
    withdrawn_at: Date
  }
}

type PolicyVersionRow = {
  number: number
  terms: Record<string, unknown>
  effective_from: Date
  note: string
  proposed_by: string
  signed_by: string
  created_at: Date
}

export type CuredBy = 'repayment' | 'collateral' | 'price' | 'correction'

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
  counted_from: Generated<Date | null>
  upheld: Generated<boolean>
  cured_at: Date | null
  cured_by: CuredBy | null
  escalated_at: Date | null
  cure_amount_cents: bigint | null
  cure_collateral_cents: bigint | null
}

export type NoticeChannel = 'webhook' | 'email' | 'sms' | 'push' | 'letter' | 'call'

type MarginNoticeRow = {
  tenant_id: string
  event_id: string
  number: number
  channel: NoticeChannel
  at: Date
  reference: SealedText | null
  recorded_at: Date
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
  recalled_at: Generated<Date | null>
  executed_at: Date | null
  plan: Generated<unknown>
  booking: Generated<unknown>
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
