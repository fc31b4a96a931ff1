import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/database.ts'
import { MAX_REQUESTS_IN_FLIGHT } from '../../src/http/limits/bound-pipelines.ts'
import { apiForFile } from '../support/api/api.ts'
import { rawRequest } from '../support/api/raw-http.ts'

const MIB = 1024 * 1024
const BORROWER = JSON.stringify({
  type: 'individual',
  kyc_attested: true,
  residency_country: 'DE',
})
const UNSIGNED = 'GET /v1/documents HTTP/1.1\r\nhost: x\r\n\r\n'

const api = apiForFile({ env: { RATE_LIMITS: 'reads=1000/100000,money=1000/100000' } })

/** Requests of each connection that were run and are not answered: now, and at most. */
let running: WeakMap<Socket, number>
let most = 0
let run = 0
const watch = ({ socket }: IncomingMessage, response: ServerResponse) => {
  const now = (running.get(socket) ?? 0) + 1
  running.set(socket, now)
  run += 1
  most = Math.max(most, now)
  response.once('close', () => running.set(socket, (running.get(socket) ?? 0) - 1))
}
beforeEach(() => {
  running = new WeakMap()
  most = 0
  run = 0
  api.app.server.on('request', watch)
})
afterEach(() => {
  api.app.server.off('request', watch)
})

type Pipeline = {
  socket: Socket
  /** Resolves with the statuses of all answers in their order, once there are so many. */
  answers(count: number): Promise<number[]>
}

async function openPipeline(): Promise<Pipeline> {
  const socket = connect(api.port, '127.0.0.1')
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('latin1')
  socket.on('data', (text: string) => {
    received += text
  })
  const statuses = () =>
    [...received.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status))
  return {
    socket,
    async answers(count) {
      while (statuses().length < count) {
        if (socket.destroyed) throw new Error(`closed after ${statuses().length} of ${count}`)
        await nextTurn()
      }
      socket.destroy()
      return statuses()
    },
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What is still referenced: when Node collects the rest is its own affair. */
function usedBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('of thousands of pipelined requests, a few of each connection run at once and all are answered', async () => {
  const before = usedBytes()
  const pipelines = await Promise.all(Array.from({ length: 20 }, openPipeline))
  for (const { socket } of pipelines) socket.write(UNSIGNED.repeat(500))
  const answers = await Promise.all(pipelines.map(({ answers }) => answers(500)))

  expect(run).toBe(10_000)
  expect(most).toBe(MAX_REQUESTS_IN_FLIGHT)
  for (const statuses of answers) {
    expect(statuses).toHaveLength(500)
    // A source over its failure limit gets 429.
    for (const status of statuses) expect([401, 429]).toContain(status)
  }
  expect(usedBytes() - before).toBeLessThan(100 * MIB)
}, 60_000)

test('pipelined bytes stay unread while the first requests of the connection wait', async () => {
  // Locks that these wait for: no answer goes out before they are given back.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = inTransaction(api.db, async (tx) => {
    const tenant = tx.selectFrom('tenants').where('tenant_id', '=', api.tenant.id)
    await tenant.select('tenant_id').forUpdate().execute()
    locked.resolve()
    await released
  })
  await locked.promise
  const { socket, answers } = await openPipeline()
  const requests = await Promise.all(
    Array.from({ length: 200 }, () => signed('POST', '/v1/borrowers', BORROWER)),
  )
  socket.write(requests.join(''))
  await expect.poll(() => run).toBe(MAX_REQUESTS_IN_FLIGHT)
  // Far more turns than Node needs to read all there is.
  for (let turn = 0; turn < 500; turn += 1) await nextTurn()
  expect(run).toBe(MAX_REQUESTS_IN_FLIGHT)
  release()
  await holding
  expect(await answers(200)).toEqual(Array(200).fill(201))
  expect(most).toBe(MAX_REQUESTS_IN_FLIGHT)
}, 60_000)

test('pipelined requests are answered in order and as if each came alone, however their bytes are split', async () => {
  const kinds = {
    read: async () => [await signed('GET', '/v1/documents'), 200],
    unknown: async () => [await signed('GET', '/v1/borrowers/x'), 404],
    create: async () => [await signed('POST', '/v1/borrowers', BORROWER), 201],
    chunked: async () => [await signed('POST', '/v1/borrowers', BORROWER, true), 201],
    spaced: async () => [
      await signed('POST', '/v1/borrowers', BORROWER.replace(',', `,${'\r\n'.repeat(20)}`)),
      201,
    ],
    empty: async () => [await signed('POST', '/v1/borrowers', ''), 422],
  } satisfies Record<string, () => Promise<[string, number]>>
  const names = Object.keys(kinds) as (keyof typeof kinds)[]
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 20 }),
      async (chosen, lengths) => {
        const made = await Promise.all(chosen.map((name) => kinds[name]()))
        const bytes = made.map(([text]) => text).join('')
        const { socket, answers } = await openPipeline()
        socket.setNoDelay()
        for (let at = 0, cut = 0; at < bytes.length; cut += 1) {
          const length = lengths[cut % lengths.length] ?? 1
          socket.write(bytes.slice(at, at + length))
          at += length
          await nextTurn()
        }
        expect(await answers(made.length)).toEqual(made.map(([, status]) => status))
      },
    ),
    { numRuns: 40, seed: 20_261_122 },
  )
  expect(most).toBeLessThanOrEqual(MAX_REQUESTS_IN_FLIGHT)
}, 60_000)

test('a connection that closes or breaks in the middle of pipelined requests harms no other', async () => {
  const gone = await Promise.all(Array.from({ length: 10 }, openPipeline))
  for (const { socket } of gone) {
    socket.write(UNSIGNED.repeat(300), () => socket.destroy())
  }
  const broken = await openPipeline()
  broken.socket.write(`${UNSIGNED.repeat(3)}NONSENSE\r\n\r\n${UNSIGNED.repeat(50)}`)
  await once(broken.socket, 'close')
  const ended = await openPipeline()
  ended.socket.end(`${UNSIGNED.repeat(40)}`)
  await once(ended.socket, 'close')
  const { socket, answers } = await openPipeline()
  socket.write((await signed('GET', '/v1/documents')).repeat(3))
  expect(await answers(3)).toEqual([200, 200, 200])
})

async function signed(
  method: string,
  target: string,
  body = '',
  isChunked = false,
): Promise<string> {
  const idempotencyKey = method === 'GET' ? null : randomUUID()
  const parts = { idempotencyKey, ...(body !== '' && { body }) }
  const headers = { host: 'x', ...(await api.tenant.sign(method, target, parts)) }
  if (method === 'GET') return rawRequest(`GET ${target} HTTP/1.1`, headers)
  const typed = { ...headers, 'content-type': 'application/json' }
  if (!isChunked) {
    const framed = { ...typed, 'content-length': String(Buffer.byteLength(body)) }
    return rawRequest(`${method} ${target} HTTP/1.1`, framed, body)
  }
  const half = Math.floor(body.length / 2)
  const chunks = [body.slice(0, half), body.slice(half)].map(
    (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
  )
  const framed = { ...typed, 'transfer-encoding': 'chunked' }
  return rawRequest(`${method} ${target} HTTP/1.1`, framed, `${chunks.join('')}0\r\n\r\n`)
}
