import type { Tx } from './database.ts'
import { isConnectionLost, sqlState } from './errors.ts'

export type Preparation = {
  /** Asked just before COMMIT. */
  isWanted: () => boolean
  run: () => Promise<unknown>
  /** Once the transaction has ended. `isUndone`: it failed after `run` began, surely without effect. */
  end: (isUndone: boolean) => void
}

type Prepared = { preparations: Map<string, Preparation>; hasBegun: boolean; hasFailed: boolean }

const preparedOf = new WeakMap<Tx, Prepared>()
const skipping = new WeakSet<Tx>()

/** What comes between the change and COMMIT, once for each name. A transaction that is undone after it
 * began is run once more, and must not want it then. */
export function beforeCommit(tx: Tx, name: string, create: () => Preparation): void {
  const prepared = preparedOf.get(tx) ?? {
    preparations: new Map<string, Preparation>(),
    hasBegun: false,
    hasFailed: false,
  }
  preparedOf.set(tx, prepared)
  if (!prepared.preparations.has(name)) prepared.preparations.set(name, create())
}

/** For a transaction that must not be run once more. */
export function skipPreparations(tx: Tx): void {
  skipping.add(tx)
}

/** To be called before a statement with which COMMIT is sent; `inTransaction` calls it for all others. */
export async function prepareCommit(tx: Tx): Promise<void> {
  const prepared = preparedOf.get(tx)
  if (!prepared || prepared.hasBegun || skipping.has(tx)) return
  for (const { isWanted, run } of prepared.preparations.values()) {
    if (!isWanted()) continue
    prepared.hasBegun = true
    prepared.hasFailed = true
    await run()
    prepared.hasFailed = false
  }
}

/** Of a transaction that has ended, with `error` where it failed. Returns whether to run it once more. */
export function endPreparations(tx: Tx, error?: unknown): boolean {
  const prepared = preparedOf.get(tx)
  if (!prepared) return false
  const { hasBegun, hasFailed, preparations } = prepared
  const isBeforeCommit = hasFailed || sqlState(error) !== undefined
  const isUndone = hasBegun && isBeforeCommit && !isConnectionLost(error)
  for (const { end } of preparations.values()) end(isUndone)
  return isUndone
}
