import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { type DeadlineHandlers, setDeadlines } from '../../src/domain/work/deadlines.ts'
import { startTestApi, type TestApi } from '../support/api/api.ts'

const ADVANCES = 60
const STEP_MS = 800
const ANSWER_MS = 25_000

let api: TestApi
beforeAll(async () => {
  const deadlineHandlers: DeadlineHandlers = new Map([
    ['evaluate-tenant', () => pause(STEP_MS).then(() => undefined)],
  ])
  api = await startTestApi({ deadlineHandlers })
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('sixty advances at the same time are all answered within 25 s', {
  timeout: 90_000,
}, async () => {
  const { tenant } = api
  const advance = (advance_seconds: number) =>
    tenant.send('POST', '/v1/sandbox/clock', { body: { advance_seconds } })
  const now = new Date((await advance(0)).json().now)
  const hours = Array.from({ length: ADVANCES }, (_, at) => ({
    subjectId: `hour${at}`,
    dueAt: addMs(now, (at + 1) * HOUR_MS),
  }))
  await inTransaction(api.db, (tx) => setDeadlines(tx, tenant.id, 'evaluate-tenant', hours))

  const startedAt = performance.now()
  const answers = await Promise.allSettled(
    Array.from({ length: ADVANCES }, async () => {
      const { status } = await advance(HOUR_MS / SECOND_MS)
      return { status, isInTime: performance.now() - startedAt < ANSWER_MS }
    }),
  )
  const seen = answers.map((answer) =>
    answer.status === 'fulfilled' ? answer.value : { status: String(answer.reason) },
  )
  expect(seen.filter((answer) => !('isInTime' in answer && answer.isInTime))).toEqual([])
  const statuses = new Set(seen.map(({ status }) => status))
  expect([...statuses].filter((it) => ![200, 202, 409, 503].includes(Number(it)))).toEqual([])
  expect(statuses).toContain(409)
})
