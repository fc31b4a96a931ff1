import { expect } from 'vitest'
import type { ProviderScript } from './lending-providers.ts'

/** Does something that crashes once it comes to the step that is next to crash at. Of its steps those are
 * counted at which `counts`; by default all. */
export type Crashing = (act: () => Promise<unknown>, counts?: () => boolean) => Promise<void>

/** More steps than any story has. */
const MOST_STEPS = 80

/** Every `by`-th step of a story, from the step `from` on, counted from 1. */
export type Share = { from: number; by: number }

/** A long story's steps, dealt out over as many tests: none then takes long. */
export function shares(count: number): Share[] {
  return Array.from({ length: count }, (_, at) => ({ from: at + 1, by: count }))
}

/**
 * Plays a story again and again: with a crash at the first step of what it does by `crashing`, at
 * the second, and so on, until it comes to its end without one. `crashAt` counts from 1.
 */
export async function crashAtEachStep(
  script: ProviderScript,
  play: (crashing: Crashing, crashAt: number) => Promise<void>,
  { from, by }: Share = { from: 1, by: 1 },
): Promise<void> {
  for (let crashAt = from, isCrashed = true; isCrashed; crashAt += by) {
    expect(crashAt).toBeLessThan(MOST_STEPS)
    isCrashed = false
    await play(async (act, counts = () => true) => {
      let steps = 0
      script.onStep = () => {
        if (!counts()) return
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
