export type Hold = {
  /** Begins in the next turn of the event loop, or later while others are coming. */
  start(): void
  /** Call it when fewer are coming than before. */
  hurry(): void
  /** What was begun last has ended. */
  noteEnd(): void
}

/** What comes at the same time begins together: while others are coming it is held, but for no longer than
 * `longestMs` after the last has ended. */
export function createHold(
  longestMs: number,
  { areOthersComing, begin }: { areOthersComing: () => boolean; begin: () => void },
): Hold {
  let isStarting = false
  let held: NodeJS.Timeout | undefined
  let endedAt = Number.NEGATIVE_INFINITY

  function beginOrHold(): void {
    const leftMs = endedAt + longestMs - performance.now()
    if (leftMs > 0 && areOthersComing()) {
      held = setTimeout(beginOrHold, leftMs)
      return
    }
    held = undefined
    isStarting = false
    begin()
  }

  function hurry(): void {
    if (!held || areOthersComing()) return
    clearTimeout(held)
    held = undefined
    setImmediate(beginOrHold)
  }

  return {
    start() {
      if (isStarting) {
        hurry()
        return
      }
      isStarting = true
      setImmediate(beginOrHold)
    },
    hurry,
    noteEnd() {
      endedAt = performance.now()
    },
  }
}
