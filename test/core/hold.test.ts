import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHold } from '../../src/core/hold.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTime(ms)

function create() {
  const state = { begun: 0, coming: 0 }
  const hold = createHold(10, {
    isHeld: () => state.coming > 0,
    begin: () => {
      state.begun += 1
    },
  })
  return { hold, state }
}

test('what comes in one turn begins once, in the next', () => {
  const { hold, state } = create()
  hold.start()
  hold.start()
  expect(state.begun).toBe(0)
  pass(0)
  expect(state.begun).toBe(1)
  hold.start()
  pass(0)
  expect(state.begun).toBe(2)
})

test('after a rest nothing is held, whoever is coming', () => {
  const { hold, state } = create()
  state.coming = 1
  hold.start()
  pass(0)
  expect(state.begun).toBe(1)
  hold.noteEnd()
  pass(10)
  hold.start()
  pass(0)
  expect(state.begun).toBe(2)
})

test('it is held while others are coming, until some time after the last has ended', () => {
  const { hold, state } = create()
  hold.noteEnd()
  pass(3)
  state.coming = 2
  hold.start()
  pass(6)
  hold.start()
  expect(state.begun).toBe(0)
  pass(1)
  expect(state.begun).toBe(1)
  pass(60)
  expect(state.begun).toBe(1)
})

test('it begins as soon as no other is coming, and once', () => {
  const { hold, state } = create()
  hold.noteEnd()
  state.coming = 2
  hold.start()
  pass(3)
  state.coming = 1
  hold.hurry()
  pass(0)
  expect(state.begun).toBe(0)
  state.coming = 0
  hold.hurry()
  hold.start()
  pass(0)
  expect(state.begun).toBe(1)
  pass(60)
  expect(state.begun).toBe(1)
})

test('it is held again where another comes in the same turn', () => {
  const { hold, state } = create()
  hold.noteEnd()
  state.coming = 1
  hold.start()
  pass(3)
  state.coming = 0
  hold.hurry()
  state.coming = 1
  pass(0)
  expect(state.begun).toBe(0)
  pass(7)
  expect(state.begun).toBe(1)
})

test('nothing begins that was not started', () => {
  const { hold, state } = create()
  hold.hurry()
  hold.noteEnd()
  pass(60)
  expect(state.begun).toBe(0)
})
