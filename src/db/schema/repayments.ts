import type { Generated } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'

export type RepaymentTables = {
  repayments: RepaymentRow
  repayment_references: {
    tenant_id: string
    reference: string
    folded: string
    repayment_id: string
  }
  confirmed_transfers: TransferRow
  transfer_claims: TransferRow
  refunds: RefundRow
  doubtful_calls: DoubtfulCallRow
  refund_redirects: {
    tenant_id: string
    refund_id: string
    number: number
    from_destination: SealedText
    to_destination: SealedText
    refusals: number
    reason: SealedText
    redirected_at: Date
  }
}

type TransferRow = { tenant_id: string; transfer_id: string; repayment_id: string }

export type RepaymentFailure = 'expired' | 'not_received' | 'asset_mismatch' | 'reported_failed'

type RepaymentRow = {
  tenant_id: string
  repayment_id: string
  facility_id: string
  margin_warning_number: number | null
  inferred: Generated<boolean>
  status: 'PENDING' | 'REPORTED' | 'APPLIED' | 'FAILED' | 'REVERSED'
  asset: string
  amount_units: bigint
  delivered_units: bigint | null
  reference: string | null
  confirmed_asset: string | null
  confirmed_units: bigint | null
  interest_cents: bigint | null
  principal_cents: bigint | null
  refund_cents: bigint | null
  is_recovery: Generated<boolean>
  failure_code: RepaymentFailure | null
  inquiry: Generated<number>
  requested_at: Date
  reported_at: Date | null
  applied_at: Date | null
  contested_transfer: Generated<string | null>
  undecided_since: Generated<Date | null>
  value_at: Generated<Date | null>
  suspended_units: Generated<bigint>
  suspense_end: Generated<'applied' | 'returned' | 'reversed' | null>
  suspense_returns: Generated<number>
  split_from: Generated<string | null>
  final_at: Generated<Date | null>
  /** The treasury was asked at `final_at`, and the money had not come back. */
  finality_at: Generated<Date | null>
  returned_at: Generated<Date | null>
  reversed_at: Generated<Date | null>
  return_code: Generated<string | null>
}

type RefundRow = {
  tenant_id: string
  refund_id: string
  facility_id: string
  source_id: string
  status: 'PENDING' | 'PAID' | 'CANCELLED' | 'RETURNED'
  asset: string
  amount_units: bigint
  cents: bigint
  destination: SealedText
  refusals: Generated<number>
  /** The refusals that there were when a payment was last ordered. */
  ordered: Generated<number | null>
  reference: string | null
  created_at: Date
  paid_at: Date | null
  payable_at: Generated<Date | null>
  recalled_at: Generated<Date | null>
  recalls: Generated<number>
  /** Of `cents`, what is owed back no longer. */
  taken_cents: Generated<bigint>
  ordered_cents: Generated<bigint | null>
  ordered_units: Generated<bigint | null>
  awaits_redirect: Generated<boolean>
  returned_at: Generated<Date | null>
  return_code: Generated<string | null>
}

type DoubtfulCallRow = {
  tenant_id: string
  subject_id: string
  facility_id: string
  reason: 'refused' | 'other_amount' | 'other_content' | 'paid_out'
  answer: unknown
  since: Date
  settled_at: Date | null
}
