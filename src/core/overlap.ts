export type Pass = {
  /** It keeps no other from beginning. */
  delay(): void
  end(): void
}

export type Overlap = {
  isIdle(): boolean
  /** Whether another may begin: beside prompt ones only where that `isUrgent`. */
  mayBegin(isUrgent?: boolean): boolean
  /** `onFree`: another may begin, most likely. */
  begin(onFree: () => void): Pass
}

/** Passes of which one at a time is best, as long as it is prompt: at most `most` side by side, and another
 * beside one that has taken `patienceMs`. */
export function createOverlap(most: number, patienceMs: number): Overlap {
  let running = 0
  let prompt = 0
  return {
    isIdle: () => running === 0,
    mayBegin: (isUrgent = false) => running < most && (prompt === 0 || isUrgent),
    begin(onFree) {
      running += 1
      prompt += 1
      let isPrompt = true
      const stopWaiting = () => {
        clearTimeout(timer)
        if (isPrompt) prompt -= 1
        isPrompt = false
      }
      const delay = () => {
        stopWaiting()
        onFree()
      }
      const timer = setTimeout(delay, patienceMs)
      return {
        delay,
        end() {
          stopWaiting()
          running -= 1
          onFree()
        },
      }
    },
  }
}
