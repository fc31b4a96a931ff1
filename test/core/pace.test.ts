import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPace } from '../../src/core/pace.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

test('after a rest a few begin at once, and the next after a pause', () => {
  const pace = createPace(10, 3)
  for (let n = 0; n < 3; n += 1) {
    expect(pace.pauseMs()).toBe(0)
    pace.take()
  }
  expect(pace.pauseMs()).toBeCloseTo(10)
  pass(4)
  expect(pace.pauseMs()).toBeCloseTo(6)
  pass(6)
  expect(pace.pauseMs()).toBe(0)
})

test('those that come slower than the pace never pause', () => {
  const pace = createPace(10, 1)
  for (let n = 0; n < 20; n += 1) {
    expect(pace.pauseMs()).toBe(0)
    pace.take()
    pass(11)
  }
})

test('a long rest allows no more at once than a short one', () => {
  const pace = createPace(10, 2)
  pass(60_000)
  pace.take()
  pace.take()
  expect(pace.pauseMs()).toBeCloseTo(10)
})

test('what began without asking is not paid for by the next', () => {
  const pace = createPace(10, 2)
  for (let n = 0; n < 50; n += 1) pace.take()
  expect(pace.pauseMs()).toBeCloseTo(10)
})
