import type { Db, Tx } from './database.ts'

type FollowUp = (db: Db) => Promise<unknown>

const followUps = new WeakMap<Tx, Map<string, FollowUp>>()

/** `run` begins once the transaction has committed, and `inTransaction` waits for it: once for each
 * name. It must be such that another process may do it instead: a failure is passed over. */
export function afterCommit(tx: Tx, name: string, run: FollowUp): void {
  followUps.set(tx, (followUps.get(tx) ?? new Map<string, FollowUp>()).set(name, run))
}

/** Of a transaction that has committed. */
export async function followUp(db: Db, tx: Tx): Promise<void> {
  const runs = followUps.get(tx)
  if (runs) await Promise.allSettled([...runs.values()].map((run) => run(db)))
}
