export type Hold = {
  start(): void
  /** Call it when it may no longer be held. */
  hurry(): void
  /** What was begun last has ended. */
  noteEnd(): void
}

/** Begins once for all that starts meanwhile: in the next turn or, while `isHeld`, at most `longestMs` after
 * what was begun last had ended. */
export function createHold(
  longestMs: number,
  { isHeld, begin }: { isHeld: () => boolean; begin: () => void },
): Hold {
  let isStarting = false
  let held: NodeJS.Timeout | undefined
  let endedAt = Number.NEGATIVE_INFINITY
  let until = endedAt

  function beginNow(): void {
    held = undefined
    isStarting = false
    begin()
  }

  function beginOrHold(): void {
    const leftMs = until - performance.now()
    if (leftMs > 0 && isHeld()) held = setTimeout(beginNow, leftMs)
    else beginNow()
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
      until = endedAt + longestMs
      setImmediate(beginOrHold)
    },
    hurry,
    noteEnd() {
      endedAt = performance.now()
    },
  }
}
