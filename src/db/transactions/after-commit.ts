import type { Db } from '../database.ts'
import type { Tx } from './transaction.ts'

export type FollowUp = (db: Db) => Promise<unknown>

/** `run` begins once the transaction has committed, and `inTransaction` waits for it: once for each
 * name. It must be such that another process may do it instead: a failure is passed over. */
export function afterCommit(tx: Tx, name: string, run: FollowUp): void {
  tx.followUps.set(name, run)
}

/** Of a transaction that has committed. */
export async function followUp({ root, followUps }: Tx): Promise<void> {
  await Promise.allSettled([...followUps.values()].map((run) => run(root)))
}
