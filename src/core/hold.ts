export type Hold = {
  /** Begins in the next turn of the event loop, or later while it is held. */
  start(): void
  /** Call it when it may no longer be held. */
  hurry(): void
  /** What was begun last has ended. */
  noteEnd(): void
}

/** What comes at the same time begins together, while `isHeld` later than it could: at most `longestMs` after
 * the last has ended. */
export function createHold(
  longestMs: number,
  { isHeld, begin }: { isHeld: () => boolean; begin: () => void },
): Hold {
  let isStarting = false
  let held: NodeJS.Timeout | undefined
  let endedAt = Number.NEGATIVE_INFINITY

  function beginOrHold(): void {
    const leftMs = endedAt + longestMs - performance.now()
    if (leftMs > 0 && isHeld()) {
      held = setTimeout(beginOrHold, leftMs)
      return
    }
    held = undefined
    isStarting = false
    begin()
  }

  function hurry(): void {
    if (!held || isHeld()) return
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
