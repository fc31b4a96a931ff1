/** Lets so many through at once, the others in the order in which they came. */
export type Gate = {
  /** Resolves when it is the caller's turn. Every turn ends with one `leave`. */
  enter(): Promise<void>
  leave(): void
}

/** A gate through which `places` may go at once. */
export function createGate(places: number): Gate {
  let free = places
  // A Set, for it gives up its first member at no cost however long the line is.
  const line = new Set<() => void>()
  return {
    enter() {
      if (free === 0) return new Promise((resolve) => line.add(resolve))
      free -= 1
      return Promise.resolve()
    },
    leave() {
      const [next] = line
      if (next) {
        line.delete(next)
        next()
      } else {
        free += 1
      }
    },
  }
}
