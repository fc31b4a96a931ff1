export type HistoryTables = {
  request_log: RequestRow
  facility_ltv_hours: LtvRow
  facility_ltv_days: LtvRow
  ltv_rounds: { tenant_id: string; hour: Date }
}

export type RequestRow = {
  tenant_id: string
  request_id: string
  received_at: Date
  method: string
  route: string
  path: string
  status: number
  code: string | null
  key_id: string | null
  person_id: string | null
  duration_us: number
  idempotency_key: string | null
  resource_id: string | null
  details: RequestDetails | null
}

export type RequestDetails = {
  query?: Record<string, string>
  answer?: unknown
  sent?: Record<string, string>
}

type LtvRow = {
  tenant_id: string
  facility_id: string
  at: Date
  taken_at: Date
  debt_cents: bigint
  collateral_cents: bigint
}
