/** A pause that is twice as long each time. */
export type Backoff = {
  readonly isOn: boolean
  begin(onEnd: () => void): void
  /** Ends a pause without its callback; the next one is as short as the first. */
  end(): void
}

export function createBackoff(firstMs: number, longestMs: number): Backoff {
  let nextMs = firstMs
  let timer: NodeJS.Timeout | undefined
  return {
    get isOn() {
      return timer !== undefined
    },
    begin(onEnd) {
      clearTimeout(timer)
      timer = setTimeout(() => {
        timer = undefined
        onEnd()
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
