import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { setDeadlines } from '../../src/domain/work/deadlines.ts'
import { apiForFile } from '../support/api/api.ts'

const ADVANCES = 60
const STEP_MS = 800
const ANSWER_MS = 25_000

/** The service's clock is so far ahead of the real one. */
let aheadMs = 0
/** Takes its time by the service's clock, and a moment of real time, in which the others ask. */
const takeLong = async () => {
  aheadMs += STEP_MS
  await pause(20)
}
const api = apiForFile({
  deadlineHandlers: new Map([['evaluate-tenant', takeLong]]),
  clock: () => addMs(new Date(), aheadMs),
})
const elapsedMs = () => performance.now() + aheadMs

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

  const startedAt = elapsedMs()
  const answers = await Promise.allSettled(
    Array.from({ length: ADVANCES }, async () => {
      const { status } = await advance(HOUR_MS / SECOND_MS)
      return { status, isInTime: elapsedMs() - startedAt < ANSWER_MS }
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
