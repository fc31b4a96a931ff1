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
    breaker: { failures: 5, windowMs: 120_000, pauseMs: 60_000 },
    watch: { onCall: () => undefined, onBreaker: (_provider, state) => states.push(state) },
    logger: pino({ level: 'silent' }),
    clock: () => new Date(),
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

test('calls of two tenants that hang leave slots for the calls of others', async () => {
  const server = createServer((request, response) => {
    if (request.url !== '/hang') response.end('{"ok":true}')
  })
  await using listening = await listen(server)
  const http = createGuardedHttp('payments', {
    deadlineMs: 20 * DEADLINE_MS,
    breaker: { failures: 1_000, windowMs: 120_000, pauseMs: 60_000 },
    watch: { onCall: () => undefined, onBreaker: () => undefined },
    logger: pino({ level: 'silent' }),
    clock: () => new Date(),
  })
  const send = (tenantId: string, subject: string, path: string) => {
    const url = `http://127.0.0.1:${listening.port}/${path}`
    const call = { operation: 'payouts', method: 'GET', url, headers: {} } as const
    const read = (answer: unknown) => answer
    return http.send({ ...call, caller: { tenantId, subject }, read })
  }
  let hanging = CALLS / 4
  const hung = Array.from({ length: hanging }, (_, at) =>
    send(at < hanging / 2 ? 'ten_a' : 'ten_b', `rep_${at}`, 'hang').catch(() => {
      hanging -= 1
    }),
  )
  await Promise.all(['ten_c', 'ten_d', 'ten_e'].map((tenant) => send(tenant, 'drw_1', 'pay')))
  expect(hanging).toBe(CALLS / 4)
  server.closeAllConnections()
  await listening[Symbol.asyncDispose]()
  await Promise.all(hung)
  await http.close()
})
