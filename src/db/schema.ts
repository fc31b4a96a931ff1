import type { Generated } from 'kysely'

/** The tables as the application sees them; `migrations/` makes them so. */
export type Tables = {
  tenants: TenantRow
  tenant_counters: { tenant_id: string; last_sequence: Generated<bigint> }
  api_keys: ApiKeyRow
  idempotency_records: IdempotencyRow
  outbox: OutboxRow
  resource_versions: {
    tenant_id: string
    resource_type: string
    resource_id: string
    version: bigint
  }
  signing_secrets: { tenant_id: string; secret_id: string; sealed: string; created_at: Date }
  webhooks: WebhookRow
  events: EventRow
  deliveries: DeliveryRow
  delivery_attempts: DeliveryAttemptRow
  documents: DocumentRow
  residency_policy: ResidencyPolicyRow
  borrowers: BorrowerRow
  signatures: SignatureRow
  compliance_checks: ComplianceCheckRow
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

type OutboxRow = {
  tenant_id: string
  topic: string
  subject_id: string
  due_at: Date
  generation: Generated<bigint>
  attempts: Generated<number>
  lease: string | null
  last_error: string | null
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
  occurred_at: Date
  recorded_at: Date
  body: string
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

type DeliveryAttemptRow = {
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

type BorrowerRow = {
  tenant_id: string
  borrower_id: string
  type: BorrowerType
  kyc_attested: boolean
  residency_country: string
  residency_state: string | null
  eligible: Generated<boolean>
  blocked_at: Date | null
  blocked_reason: string | null
  created_at: Date
  updated_at: Date
}

type SignatureRow = {
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

type ComplianceCheckRow = {
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
