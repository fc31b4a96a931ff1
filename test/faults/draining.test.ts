import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { addEvents, addWebhook, readDeliveries } from '../support/deliveries/deliveries.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { BODY, beginRequest } from '../support/process/begin-request.ts'
import { testEnvironment } from '../support/process/config.ts'
import { startEntry } from '../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { startReceiver } from '../support/servers/endpoint.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

let open: AsyncDisposableStack
let database: TestDatabase
beforeEach(async () => {
  open = new AsyncDisposableStack()
  database = open.use(await createTestDatabase())
})
afterEach(() => open.disposeAsync())

const startApi = (rest: Record<string, string> = {}) => startProcess('server', rest)

/** The API or a worker in a process of its own, ready. */
async function startProcess(entry: 'server' | 'worker', rest: Record<string, string> = {}) {
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  const ports = { PORT: String(port), METRICS_PORT: String(metricsPort) }
  const settings = { HOST: '127.0.0.1', LOG_LEVEL: 'info', ...ports, ...rest }
  const {
    process: child,
    output: log,
    ended: ending,
  } = startEntry(entry, testEnvironment(stores, settings))
  const ended = ending.then(([code]) => code)
  open.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  await waitFor(async () => {
    const { status } = await fetch(
      `http://127.0.0.1:${entry === 'server' ? port : metricsPort}/readyz`,
    )
    expect(status).toBe(200)
  })
  return { child, port, ended, log }
}

function tryConnecting(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.on('connect', () => {
      socket.destroy()
      resolve('connected')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
}

const untilRefusing = (port: number) =>
  waitFor(async () => expect(await tryConnecting(port)).toBe('ECONNREFUSED'))

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a drain answers a request in flight at %s and logs it for its tenant, accepts no new connection, waits for no idle one, and the process succeeds',
  async (signal) => {
    const api = await startApi()
    const idle = connect(api.port, '127.0.0.1')
    idle.on('error', () => undefined)
    await once(idle, 'connect')
    const { request, answered } = await beginRequest(database.db, api.port)
    api.child.kill(signal)
    await untilRefusing(api.port)
    expect(isRunning(api.child)).toBe(true)

    request.end(BODY)
    const response = await answered
    expect(response.statusCode).toBe(201)
    expect(response.headers.connection).toBe('close')
    expect(JSON.parse(await text(response)).id).toMatch(/^bor_/)
    expect(await api.ended).toBe(0)
    expect(await api.log).toMatch(/"msg":"draining"[\s\S]*"msg":"drained"/)
    expect(await readLog()).toEqual([{ status: 201 }])
  },
)

test('a client that hangs delays the end by DRAIN_SECONDS at most, and the process logs that', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const api = await startApi({ DRAIN_SECONDS: '1' })
  const { request, answered } = await beginRequest(database.db, api.port)
  answered.catch(() => undefined)
  request.on('error', () => undefined)
  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(1)
  expect(await api.log).toContain('"msg":"drain took too long; ending"')
  const borrowers = await database.db.selectFrom('borrowers').selectAll().execute()
  expect(borrowers).toEqual([])
})

test('a worker that drains ends the attempt in flight, records it and succeeds', async () => {
  const { db } = database
  const receiver = open.use(await startReceiver())
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId, { url: receiver.url })
  const release = receiver.hold()
  const worker = await startProcess('worker')
  await addEvents(db, tenantId, 1)
  await waitFor(() => expect(receiver.seen).toHaveLength(1))
  worker.child.kill('SIGTERM')
  release()
  expect(await worker.ended).toBe(0)
  expect(await worker.log).toContain('"msg":"drained"')
  const [first] = await readDeliveries(db, webhookId)
  expect(first).toMatchObject({ state: 'delivered', attempts: 1 })
})

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null
}

const readLog = () => database.db.selectFrom('request_log').select('status').execute()

test('a killed process has logged what it answered before its last batch', async () => {
  const api = await startApi()
  const first = await beginRequest(database.db, api.port)
  first.request.end(BODY)
  await text(await first.answered)
  await waitFor(async () => expect(await readLog()).toHaveLength(1))
  const second = await beginRequest(database.db, api.port)
  second.request.end(BODY)
  await text(await second.answered)
  api.child.kill('SIGKILL')
  await api.ended
  // The second is lost with the batch that it was in, or was written just before.
  expect((await readLog()).length).toBeGreaterThanOrEqual(1)
})
