import { isConnectionLost, isRepeated, sqlState } from '../errors.ts'

export type Preparation = {
  /** Asked once, just before COMMIT. */
  isWanted: () => boolean
  run: () => Promise<unknown>
  /** Once the transaction has ended. `isUndone`: it failed after `run` began, surely without effect. */
  end: (isUndone: boolean) => void
}

/** Of a transaction. */
export class Preparations {
  /** For one that must not be run once more, or that is. */
  areSkipped = false
  readonly #byName = new Map<string, Preparation>()
  #hasBegun = false
  #isRunning = false

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  /** What comes between the change and COMMIT. A transaction that is undone after it
   * began is run once more, without it. */
  add(name: string, preparation: Preparation): void {
    this.#byName.set(name, preparation)
  }

  async run(): Promise<void> {
    if (this.areSkipped) return
    for (const { isWanted, run } of this.#byName.values()) {
      if (!isWanted()) continue
      this.#hasBegun = true
      this.#isRunning = true
      await run()
      this.#isRunning = false
    }
  }

  /** Of a transaction that has ended, with `error` where it failed. Returns whether to run it once more. */
  end(error?: unknown): boolean {
    const isBeforeCommit = this.#isRunning || sqlState(error) !== undefined
    const isUndone =
      this.#hasBegun && isBeforeCommit && !isConnectionLost(error) && !isRepeated(error)
    for (const { end } of this.#byName.values()) end(isUndone)
    return isUndone
  }
}
