import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff } from '../../../src/jobs/deliveries/backoff.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** How long each of so many pauses in a row lasts. */
function lengthsOf(backoff: ReturnType<typeof createBackoff>, count: number): number[] {
  return Array.from({ length: count }, () => {
    const begun = Date.now()
    backoff.begin(() => undefined)
    vi.runAllTimers()
    return Date.now() - begun
  })
}

test('a backoff doubles up to the longest pause, and is short again once it was ended', () => {
  const backoff = createBackoff(20, 100)
  expect(lengthsOf(backoff, 5)).toEqual([20, 40, 80, 100, 100])
  backoff.end()
  expect(lengthsOf(backoff, 2)).toEqual([20, 40])
})

test('a backoff is on until its time is over, and calls back once', () => {
  const backoff = createBackoff(20, 100)
  const onEnd = vi.fn()
  expect(backoff.isOn).toBe(false)
  backoff.begin(onEnd)
  vi.advanceTimersByTime(19)
  expect([backoff.isOn, onEnd.mock.calls.length]).toEqual([true, 0])
  vi.advanceTimersByTime(1)
  expect([backoff.isOn, onEnd.mock.calls.length]).toEqual([false, 1])
})

test('a backoff that is ended early does not call back', () => {
  const backoff = createBackoff(20, 100)
  const onEnd = vi.fn()
  backoff.begin(onEnd)
  backoff.end()
  vi.runAllTimers()
  expect([backoff.isOn, onEnd.mock.calls.length]).toEqual([false, 0])
})
