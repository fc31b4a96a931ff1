import type { Generated } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'

export type OnboardingTables = {
  documents: DocumentRow
  residency_policy: ResidencyPolicyRow
  borrowers: BorrowerRow
  borrower_keys: BorrowerKeyRow
  erasure_key: ErasureKeyRow
  signatures: SignatureRow
  compliance_checks: ComplianceCheckRow
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
  external_id: Generated<string | null>
  type: BorrowerType
  kyc_attested: boolean
  residency_country: string
  residency_state: string | null
  eligible: Generated<boolean>
  blocked_at: Date | null
  blocked_reason: SealedText | null
  unblocked_at: Generated<Date | null>
  latest_facility_id: string | null
  created_at: Date
  updated_at: Date
}

/** The key is null once it is destroyed. */
export type BorrowerKeyRow = {
  tenant_id: string
  borrower_id: string
  sealed_key: string | null
  erased_at: Date | null
}

type ErasureKeyRow = { only_row: Generated<boolean>; sealed: string }

export type SignatureRow = {
  tenant_id: string
  signature_id: string
  borrower_id: string
  number: number
  full_name: SealedText
  email: SealedText
  ip_address: SealedText
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
  subject: SealedText
  status: CheckStatus
  reference: string | null
  note: SealedText | null
  created_at: Date
  decided_at: Date | null
}
