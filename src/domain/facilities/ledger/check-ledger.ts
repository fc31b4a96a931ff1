import { type Db, inSnapshot, type Tx } from '../../../db/database.ts'
import { type LedgerPart, selectDisagreements } from './ledger-queries.ts'

/** One balance on which what is stored and what the books make of it do not agree. */
export type Disagreement = {
  tenantId: string
  facilityId: string
  balance: string
  /** What it is counted in; interest to the millisecond is in units of core/interest.ts. */
  asset: string
  stored: bigint
  recomputed: bigint
}

/** A check of a large ledger may take longer than a request's statements may. */
const LONGEST_CHECK_SECONDS = 900

/**
 * Recomputes every balance of every facility, draw, repayment and refund from the journal, interest
 * from the movements of principal, and lists what does not agree: none, ever. Everything is read in
 * one statement, as of one instant, so a ledger in use is checked like one at rest.
 */
export async function checkLedger(db: Db): Promise<Disagreement[]> {
  return await inSnapshot(db, { seconds: LONGEST_CHECK_SECONDS }, (tx) => findDisagreements(tx))
}

/** What `checkLedger` finds, as a transaction sees it: of all facilities, or of some. */
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
