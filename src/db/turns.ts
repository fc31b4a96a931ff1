/** Runs what it is given one after the other, in the order in which it was asked to. A hot path: with
 * `p-limit` each takes some turns more. */
export function createTurns(): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let isTaken = false
  return async (run) => {
    if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve))
    isTaken = true
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    }
  }
}
