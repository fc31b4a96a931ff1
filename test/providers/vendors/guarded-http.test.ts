import { createServer } from 'node:http'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createGuardedHttp } from '../../../src/providers/vendors/guarded-http.ts'
import { listen } from '../../support/servers/misbehaving-server.ts'

const ANSWER_MS = 100
/** Far above one answer, far below what a burst takes as a whole. */
const DEADLINE_MS = 10 * ANSWER_MS
const CALLS = 400

test('a burst of calls is answered although its last ones wait longer than the deadline', async () => {
  let running = 0
  let most = 0
  const server = createServer((_request, response) => {
    running += 1
    most = Math.max(most, running)
    setTimeout(() => {
      running -= 1
      response.setHeader('content-type', 'application/json').end('{"ok":true}')
    }, ANSWER_MS)
  })
  await using listening = await listen(server)
  const states: string[] = []
  const http = createGuardedHttp('custodian', {
    deadlineMs: DEADLINE_MS,
    breaker: { failures: 5, halfOpenAfterMs: 60_000 },
    watch: { onCall: () => undefined, onBreaker: (_provider, state) => states.push(state) },
    logger: pino({ level: 'silent' }),
  })
  const url = `http://127.0.0.1:${listening.port}/`
  const call = { operation: 'sales', method: 'GET', url, headers: {} } as const
  const answers = await Promise.all(
    Array.from({ length: CALLS }, () => http.send({ ...call, read: (answer) => answer })),
  )
  await http.close()
  expect(answers).toHaveLength(CALLS)
  expect(most).toBe(16)
  expect(states).toEqual(['closed'])
})
