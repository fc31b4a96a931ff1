import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createOverlap } from '../../src/core/overlap.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('another begins only after one that is prompt', () => {
  const onFree = vi.fn()
  const overlap = createOverlap(2, 50)
  expect([overlap.isIdle(), overlap.mayBegin()]).toEqual([true, true])
  const pass = overlap.begin(onFree)
  expect([overlap.isIdle(), overlap.mayBegin()]).toEqual([false, false])
  pass.end()
  expect([overlap.isIdle(), overlap.mayBegin()]).toEqual([true, true])
  vi.advanceTimersByTime(100)
  expect(onFree).toHaveBeenCalledTimes(1)
})

test('beside one that takes long another begins, and no more than may run at once', () => {
  const onFree = vi.fn()
  const overlap = createOverlap(2, 50)
  const first = overlap.begin(onFree)
  vi.advanceTimersByTime(49)
  expect(overlap.mayBegin()).toBe(false)
  vi.advanceTimersByTime(1)
  expect([overlap.mayBegin(), onFree.mock.calls.length]).toEqual([true, 1])
  const second = overlap.begin(onFree)
  vi.advanceTimersByTime(50)
  expect(overlap.mayBegin()).toBe(false)
  first.end()
  expect(overlap.mayBegin()).toBe(true)
  second.end()
  expect(overlap.isIdle()).toBe(true)
})

test('one that says it waits keeps no other, however often it says so', () => {
  const overlap = createOverlap(2, 50)
  const pass = overlap.begin(() => undefined)
  pass.delay()
  pass.delay()
  expect(overlap.mayBegin()).toBe(true)
  overlap.begin(() => undefined)
  expect(overlap.mayBegin()).toBe(false)
})

test('an urgent one begins beside a prompt one, and no more than may run at once', () => {
  const overlap = createOverlap(2, 50)
  overlap.begin(() => undefined)
  expect(overlap.mayBegin(true)).toBe(true)
  overlap.begin(() => undefined)
  expect(overlap.mayBegin(true)).toBe(false)
})
