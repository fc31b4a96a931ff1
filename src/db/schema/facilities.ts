import type { Generated } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'

export type FacilityTables = {
  facilities: FacilityRow
  position_inquiries: PositionInquiryRow
  principal_movements: PrincipalMovementRow
  facility_pauses: PauseRow
  facility_corrections: CorrectionRow
  write_off_readings: WriteOffReadingRow
  draws: DrawRow
  journal: JournalRow
  journal_entries: { tenant_id: string; facility_id: string; entry_id: string }
  journal_lines: JournalLineRow
  closed_months: { tenant_id: string; month: Date; closed_at: Date }
}

export type FacilityState = 'PENDING' | 'APPROVED' | 'DECLINED' | 'CLOSING' | 'CLOSED'

export type CloseReason = 'repaid' | 'charged_off' | 'cancelled'

export type FacilityRow = {
  tenant_id: string
  facility_id: string
  borrower_id: string
  external_id: Generated<string | null>
  terms_version: Generated<number | null>
  next_terms_at: Generated<Date | null>
  next_terms_version: Generated<number | null>
  /** The operator who proposed it. */
  next_terms_by: Generated<string | null>
  next_rate_ppm: Generated<number | null>
  times_amended: Generated<number>
  earlier_rates: Generated<{ rate_ppm: number; until: string }[]>
  agreed_rates: Generated<StoredAgreed | null>
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
  charged_off_principal_cents: Generated<bigint>
  charged_off_interest_cents: Generated<bigint>
  recovered_cents: Generated<bigint>
  accrued_at: Date
  custodian_floor_cents: Generated<bigint>
  custodian_sequence: Generated<bigint>
  floor_sequence: Generated<bigint>
  floor_pushed_cents: Generated<bigint>
  floor_pushed_at: Date | null
  noticed_ltv_ppm: Generated<number>
  notices: Generated<number>
  decline_reasons: string[] | null
  close_reason: CloseReason | null
  created_at: Date
  updated_at: Date
  acted_at: Generated<Date | null>
  decisioned_at: Date | null
  closed_at: Date | null
  held_since: Generated<Date | null>
  times_held: Generated<number>
  times_corrected: Generated<number>
  forbearance_until: Generated<Date | null>
  release_sent_at: Generated<Date | null>
  release_recalled_at: Generated<Date | null>
  provisional_until: Generated<Date | null>
  over_limit_cents: Generated<bigint>
  /** JSON: see facilities/ledger/eased.ts. */
  eased: Generated<unknown>
}

/** As facilities/corrections/rates.ts reads it. */
type StoredAgreed = {
  rate_ppm: number
  earlier: { rate_ppm: number; until: string }[]
  segments: number
}

export type InquiryPurpose =
  | 'application'
  | 'reading'
  | 'push'
  | 'escalation'
  | 'sale'
  | 'write_off'

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

export type HoldKind = 'bankruptcy' | 'court_order' | 'freeze' | 'death' | 'dispute' | 'other'

/** Times are the tenant's. */
type PauseRow = {
  tenant_id: string
  facility_id: string
  pause_id: string
  kind: 'outage' | 'hold' | 'forbearance'
  started_at: Date
  ended_at: Date | null
  hold_kind: HoldKind | null
  reason: SealedText | null
}

export type CorrectionKind =
  | 'waive_interest'
  | 'credit'
  | 'rate'
  | 'write_off'
  | 'forbearance'
  | 'close'

type CorrectionRow = {
  tenant_id: string
  facility_id: string
  correction_id: string
  kind: CorrectionKind
  amount_cents: bigint | null
  rate_ppm: number | null
  from_at: Date | null
  until_at: Date | null
  corrected_at: Date
  undone_at: Generated<Date | null>
}

type WriteOffReadingRow = {
  tenant_id: string
  facility_id: string
  asked_until: Date
  read_at: Date | null
  /** JSON: quantities as digits, by asset. */
  positions: { asset: string; units: string }[] | null
}

type DrawRow = {
  tenant_id: string
  draw_id: string
  facility_id: string
  status: 'PENDING' | 'COMPLETED' | 'FAILED' | 'RETURNED'
  asset: string
  amount_units: bigint
  debt_cents: bigint
  destination: SealedText
  reference: string | null
  failure_code: string | null
  failure_retryable: boolean | null
  payout_sent_at: Date | null
  recalled_at: Generated<Date | null>
  requested_at: Date
  completed_at: Date | null
  returned_units: Generated<bigint | null>
  returned_at: Generated<Date | null>
  return_code: Generated<string | null>
}

type JournalRow = {
  tenant_id: string
  facility_id: string
  entry_id: string
  kind: string
  accounts: string[]
  assets: string[]
  amounts: bigint[]
  /** Null in entries of a release without value dates: `booked_at`. */
  value_at: Date | null
  /** The posting date, which decides the month. */
  booked_at: Date
  /** Real time, by the database's clock. */
  written_at: Generated<Date>
  /** The month of `written_at`: its partition. */
  month: Generated<Date>
}

/** A view: one row a line, accounts by the names of the chart. */
type JournalLineRow = {
  tenant_id: string
  facility_id: string
  entry_id: string
  kind: string
  line: number
  account: string
  asset: string
  /** A debit is positive. */
  amount: bigint
  value_at: Date
  booked_at: Date
  written_at: Date
}
