import type { Generated } from 'kysely'
import type { SealedText } from '../../core/sealing.ts'

export type ReconciliationTables = {
  reconciliations: {
    tenant_id: string
    first_day: string
    next_day: string
    time_zone: string
    due_at: Date
    leased_until: Generated<Date | null>
  }
  listed_transfers: {
    tenant_id: string
    transfer_id: string
    asset: string
    /** Positive came in. */
    units: bigint
    call_id: string | null
    returns: string | null
    day: string
  }
  reconciled_days: {
    tenant_id: string
    day: string
    /** Units by asset. */
    balances: Record<string, string>
    accounts: number | null
    listed_at: Date
  }
  reconciliation_breaks: BreakRow
  sandbox_transfers: {
    tenant_id: string
    transfer_id: string
    asset: string
    units: bigint
    call_id: string | null
    returns: string | null
    booked_at: Date
  }
}

type BreakRow = {
  tenant_id: string
  break_id: string
  kind: 'missing_here' | 'missing_there' | 'other_amount' | 'other_day'
  area: 'bank' | 'wallet' | 'collateral'
  item_id: string
  facility_id: string | null
  day: string
  ours: unknown
  theirs: unknown
  found_at: Date
  written_at: Date
  owner: Generated<string | null>
  taken_at: Generated<Date | null>
  /** Clear where no facility is known. */
  note: Generated<SealedText | null>
  resolved_at: Generated<Date | null>
  resolved_by: Generated<string | null>
  resolution: Generated<SealedText | null>
}
