import type { Tx } from '../../../db/database.ts'
import { insertEntry } from '../queries.ts'

/** The accounts of a facility's books. */
export type Account =
  | 'principal'
  | 'interest_receivable'
  | 'interest_income'
  | 'cash'
  | 'exchange'
  | 'refund_payable'
  | 'waiver'
  | 'charge_off'

/** One side of an entry: positive is a debit. */
export type Posting = { account: Account; asset: string; units: bigint }

export type JournalEntry = {
  /** What happened, once: 'draw/drw_…'. Booking it a second time fails. */
  id: string
  kind: string
  postings: readonly Posting[]
  bookedAt: Date
}

/** Moves `units` of an asset from one account to another: credit `from`, debit `to`. */
export function transfer(from: Account, to: Account, asset: string, units: bigint): Posting[] {
  return [
    { account: to, asset, units },
    { account: from, asset, units: -units },
  ]
}

/**
 * Books entries of a facility; the database refuses one that does not sum to zero in each asset.
 * Postings of nothing are left out, and an entry with none is not written.
 */
export async function book(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  for (const entry of entries) {
    const postings = entry.postings.filter((posting) => posting.units !== 0n)
    if (postings.length > 0) await insertEntry(tx, tenantId, facilityId, { ...entry, postings })
  }
}
