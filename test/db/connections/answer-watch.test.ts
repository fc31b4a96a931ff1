import { expect, test, vi } from 'vitest'
import { AnswerWatch } from '../../../src/db/connections/answer-watch.ts'
import type { Client } from '../../../src/db/connections/session.ts'

const client = {} as Client

test('a server is silent from the first statement that it leaves unanswered until it answers one, also once that statement was given up', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const watch = new AnswerWatch()
  watch.noteSent()
  watch.noteSent()
  vi.advanceTimersByTime(10_000)
  // The second ends with the connection that the first has closed.
  watch.noteLost(client, { isSilent: true })
  watch.noteLost(client, { isSilent: false })
  vi.advanceTimersByTime(3_000)
  watch.noteSent()
  expect(watch.silentMs).toBe(13_000)
  watch.noteAnswer(client)
  expect(watch.silentMs).toBe(0)
  vi.useRealTimers()
})

test('a server whose connections were reset is not silent while nothing is asked of it', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const watch = new AnswerWatch()
  watch.noteSent()
  vi.advanceTimersByTime(10)
  watch.noteLost(client, { isSilent: false })
  vi.advanceTimersByTime(60_000)
  expect(watch.silentMs).toBe(0)
  vi.useRealTimers()
})
