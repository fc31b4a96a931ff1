import type { Generated } from 'kysely'

export type ProviderTables = {
  provider_callbacks: {
    tenant_id: string
    provider: 'kyc' | 'custodian' | 'payments'
    callback_id: string
    received_at: Date
  }
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
    /** Null where it follows from the call itself. */
    result: unknown
    called_at: Generated<Date>
  }
  sandbox_holdings: {
    tenant_id: string
    borrower_id: string
    /** Units by asset, as text. */
    positions: Record<string, string> | null
    late_seconds: number
    set_at: Date
  }
  sandbox_liens: {
    tenant_id: string
    facility_id: string
    sequence: bigint
    floor_cents: bigint | null
  }
}
