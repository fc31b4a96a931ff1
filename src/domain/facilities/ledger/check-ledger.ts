import type { Db, Tx } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import { type LedgerPart, selectDisagreements } from './ledger-queries.ts'

export type Disagreement = {
  tenantId: string
  facilityId: string
  balance: string
  /** Interest to the millisecond is in units of core/interest.ts. */
  asset: string
  stored: bigint
  recomputed: bigint
}

const LONGEST_CHECK_SECONDS = 900

/** There must be none. One statement reads as of one instant, so a ledger in use can be checked. */
export async function checkLedger(db: Db): Promise<Disagreement[]> {
  return await inSnapshot(db, { seconds: LONGEST_CHECK_SECONDS }, (tx) => findDisagreements(tx))
}

export async function findDisagreements(tx: Tx, part?: LedgerPart): Promise<Disagreement[]> {
  const rows = await selectDisagreements(tx, part)
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    facilityId: row.facility_id,
    balance: row.balance,
    asset: row.asset,
    stored: row.stored,
    recomputed: row.recomputed,
  }))
}
