import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGrowingPause } from '../../src/jobs/growing-pause.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How long each of so many pauses in a row lasts. */
function lengthsOf(pause: ReturnType<typeof createGrowingPause>, count: number): number[] {
  return Array.from({ length: count }, () => {
    const begun = Date.now()
    pause.begin(() => undefined)
    vi.runAllTimers()
    return Date.now() - begun
  })
}

test('doubles up to the longest, and is short again once it was ended', () => {
  const pause = createGrowingPause(20, 100)
  expect(lengthsOf(pause, 5)).toEqual([20, 40, 80, 100, 100])
  pause.end()
  expect(lengthsOf(pause, 2)).toEqual([20, 40])
})

test('is on until it is over, and says so once', () => {
  const pause = createGrowingPause(20, 100)
  const whenOver = vi.fn()
  expect(pause.isOn).toBe(false)
  pause.begin(whenOver)
  vi.advanceTimersByTime(19)
  expect([pause.isOn, whenOver.mock.calls.length]).toEqual([true, 0])
  vi.advanceTimersByTime(1)
  expect([pause.isOn, whenOver.mock.calls.length]).toEqual([false, 1])
})

test('that is ended says nothing', () => {
  const pause = createGrowingPause(20, 100)
  const whenOver = vi.fn()
  pause.begin(whenOver)
  pause.end()
  vi.runAllTimers()
  expect([pause.isOn, whenOver.mock.calls.length]).toEqual([false, 0])
})
