/** Leaves something alone for a while, for twice as long each time. */
export type GrowingPause = {
  /** Whether it lasts. */
  readonly isOn: boolean
  /** Begins one, and calls `whenOver` when it is. The next is twice as long. */
  begin(whenOver: () => void): void
  /** Ends the one that lasts, if any does, and says nothing; the next is as short as the first. */
  end(): void
}

/** A pause that lasts `firstMs`, then doubles up to `longestMs`. */
export function createGrowingPause(firstMs: number, longestMs: number): GrowingPause {
  let nextMs = firstMs
  let timer: NodeJS.Timeout | undefined
  return {
    get isOn() {
      return timer !== undefined
    },
    begin(whenOver) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        whenOver()
      }, nextMs)
      nextMs = Math.min(2 * nextMs, longestMs)
    },
    end() {
      clearTimeout(timer)
      timer = undefined
      nextMs = firstMs
    },
  }
}
