import type { Tx } from './database.ts'
import { isConnectionLost, isRepeated, sqlState } from './errors.ts'
import { TransactionNotes } from './transaction-notes.ts'

export type Preparation = {
  /** Asked once, just before COMMIT. */
  isWanted: () => boolean
  run: () => Promise<unknown>
  /** Once the transaction has ended. `isUndone`: it failed after `run` began, surely without effect. */
  end: (isUndone: boolean) => void
}

type Prepared = {
  preparations: Map<string, Preparation>
  isAsked: boolean
  hasBegun: boolean
  isRunning: boolean
}

const preparedOf = new TransactionNotes<Prepared>()
const skipping = new TransactionNotes<true>()

/** What comes between the change and COMMIT, once for each name. A transaction that is undone after it
 * began is run once more, without it. */
export function beforeCommit(tx: Tx, name: string, create: () => Preparation): void {
  const prepared = preparedOf.get(tx) ?? {
    preparations: new Map<string, Preparation>(),
    ...{ isAsked: false, hasBegun: false, isRunning: false },
  }
  preparedOf.set(tx, prepared)
  if (!prepared.preparations.has(name)) prepared.preparations.set(name, create())
}

/** For a transaction that must not be run once more, or that is. */
export function skipPreparations(tx: Tx): void {
  skipping.set(tx, true)
}

/** To be called before a statement with which COMMIT is sent; `inTransaction` calls it for all others. The
 * second call does nothing, as the transaction may have committed. */
export async function prepareCommit(tx: Tx): Promise<void> {
  const prepared = preparedOf.get(tx)
  if (!prepared || prepared.isAsked) return
  prepared.isAsked = true
  if (skipping.get(tx)) return
  for (const { isWanted, run } of prepared.preparations.values()) {
    if (!isWanted()) continue
    prepared.hasBegun = true
    prepared.isRunning = true
    await run()
    prepared.isRunning = false
  }
}

/** Of a transaction that has ended, with `error` where it failed. Returns whether to run it once more. */
export function endPreparations(tx: Tx, error?: unknown): boolean {
  const prepared = preparedOf.get(tx)
  if (!prepared) return false
  const { hasBegun, isRunning, preparations } = prepared
  const isBeforeCommit = isRunning || sqlState(error) !== undefined
  const isUndone = hasBegun && isBeforeCommit && !isConnectionLost(error) && !isRepeated(error)
  for (const { end } of preparations.values()) end(isUndone)
  return isUndone
}
