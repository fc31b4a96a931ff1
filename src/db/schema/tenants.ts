import type { Generated } from 'kysely'

export type TenantTables = {
  tenants: TenantRow
  tenant_counters: {
    tenant_id: string
    last_sequence: Generated<bigint>
    last_hash: Generated<Buffer>
    last_recorded_at: Generated<Date | null>
  }
  api_keys: ApiKeyRow
  tenant_list: { tenant_id: string }
  api_key_owners: { key_id: string; tenant_id: string }
  absent_tenants: { tenant_id: string; since: Date }
  idempotency_records: IdempotencyRow
  clock_advances: { tenant_id: string; request: string; target: Date; held_until: Date | null }
}

type TenantRow = {
  tenant_id: string
  name: string
  clock_offset_ms: Generated<bigint>
  suspended_at: Generated<Date | null>
  suspension_reason: Generated<string | null>
  created_at: Date
  closed_at: Generated<Date | null>
  exported_sequence: Generated<bigint | null>
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
  last_used_at: Generated<Date | null>
  expiry_warned_at: Generated<Date | null>
}

type IdempotencyRow = {
  tenant_id: string
  key: string
  fingerprint: Buffer
  status: number
  body: string
  secret_id: string | null
  /** Whose sealed texts the body has. */
  borrower_id: Generated<string | null>
  recorded_at: Date
}
