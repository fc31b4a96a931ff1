import { expect } from 'vitest'
import type { ProviderScript } from './lending-providers.ts'

/** Does something that crashes once it comes to the step that is next to crash at. */
export type Crashing = (act: () => Promise<unknown>) => Promise<void>

/** More steps than any story has. */
const MOST_STEPS = 80

/**
 * Plays a story again and again: with a crash at the first step of what it does by `crashing`, at
 * the second, and so on, until it comes to its end without one. `crashAt` counts from 1.
 */
export async function crashAtEachStep(
  script: ProviderScript,
  play: (crashing: Crashing, crashAt: number) => Promise<void>,
): Promise<void> {
  for (let crashAt = 1, isCrashed = true; isCrashed; crashAt += 1) {
    expect(crashAt).toBeLessThan(MOST_STEPS)
    isCrashed = false
    await play(async (act) => {
      let steps = 0
      script.onStep = () => {
        steps += 1
        if (steps !== crashAt) return
        isCrashed = true
        throw new Error(`crash at step ${crashAt}`)
      }
      await act()
      script.onStep = () => undefined
    }, crashAt)
  }
}
