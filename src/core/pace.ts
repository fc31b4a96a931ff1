export type Pace = {
  /** Until the next may begin. */
  pauseMs(): number
  /** One begins. */
  take(): void
}

/** One every so often on average, and so many at once after a rest. */
export function createPace(everyMs: number, atOnce: number): Pace {
  let left = atOnce
  let countedAt = performance.now()

  function count(): void {
    const now = performance.now()
    left = Math.min(atOnce, left + (now - countedAt) / everyMs)
    countedAt = now
  }

  return {
    pauseMs() {
      count()
      return left >= 1 ? 0 : (1 - left) * everyMs
    },
    // Of a backlog more may begin than the pace allows, which the next ones do not pay for.
    take() {
      count()
      left = Math.max(0, left - 1)
    },
  }
}
