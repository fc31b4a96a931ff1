import type { Db, Tx } from './database.ts'
import { TransactionNotes } from './transaction-notes.ts'

type FollowUp = (db: Db) => Promise<unknown>

const followUps = new TransactionNotes<Map<string, FollowUp>>()

/** `run` begins once the transaction has committed, and `inTransaction` waits for it: once for each
 * name. It must be such that another process may do it instead: a failure is passed over. */
export function afterCommit(tx: Tx, name: string, run: FollowUp): void {
  const runs = followUps.get(tx) ?? new Map<string, FollowUp>()
  followUps.set(tx, runs.set(name, run))
}

/** Of a transaction that has committed. */
export async function followUp(db: Db, tx: Tx): Promise<void> {
  const runs = followUps.get(tx)
  if (runs) await Promise.allSettled([...runs.values()].map((run) => run(db)))
}
