import type { Tx } from '../../../db/database.ts'
import type { Account } from './accounts.ts'
import { insertEntry, requireOpenMonth } from './journal-queries.ts'

/** A positive number is a debit. */
export type Posting = { account: Account; asset: string; units: bigint }

export type JournalEntry = {
  id: string
  kind: string
  postings: readonly Posting[]
  /** From when it counts. */
  valueAt: Date
  /** Its posting date: in a month that is not closed. */
  bookedAt: Date
}

export function transfer(from: Account, to: Account, asset: string, units: bigint): Posting[] {
  return [
    { account: to, asset, units },
    { account: from, asset, units: -units },
  ]
}

/** Empty entries are left out. */
export async function book(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  entries: readonly JournalEntry[],
): Promise<void> {
  for (const entry of entries) {
    const postings = entry.postings.filter((posting) => posting.units !== 0n)
    if (postings.length === 0) continue
    tx.send(requireOpenMonth({ tenantId, id: entry.id, bookedAt: entry.bookedAt }))
    await insertEntry(tx, tenantId, facilityId, { ...entry, postings })
  }
}
