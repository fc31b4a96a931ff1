import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePorts } from '../../../src/local/free-ports.ts'
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
} from '../../../src/local/process-identity.ts'
import { addEvents, addWebhook, readDeliveries } from '../../support/deliveries/deliveries.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { BODY, beginRequest } from '../../support/process/begin-request.ts'
import { builtEntry } from '../../support/process/built-service.ts'
import { testEnvironment } from '../../support/process/config.ts'
import { processEnvironment, runEntry, startEntry } from '../../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../../support/process/patience.ts'
import { startReceiver } from '../../support/servers/endpoint.ts'
import { listen } from '../../support/servers/misbehaving-server.ts'
import { createTestDatabase, databaseForFile } from '../../support/stores/database.ts'
import { testRedisUrl } from '../../support/stores/redis.ts'

const PATIENT = { timeout: 60_000, interval: 50 }
const TWO = { API_PROCESSES: '2', WORKER_PROCESSES: '2' }

const database = databaseForFile()
let open: AsyncDisposableStack
beforeEach(() => {
  open = new AsyncDisposableStack()
})
afterEach(() => open.disposeAsync())

type Line = {
  msg: string
  process?: number
  pid?: number
  childPid?: number
  how?: number | string
}

async function makeEnvironment(rest: Record<string, string> = {}) {
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  const env = testEnvironment(stores, {
    ...TWO,
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    LOG_LEVEL: 'info',
    ...rest,
  })
  return { env, port, metricsPort }
}

/** Two processes of one command, ready, and ended with `owner`. */
async function startTwo(
  entry: Parameters<typeof builtEntry>[0],
  rest: Record<string, string> = {},
  owner = open,
) {
  const { env, port, metricsPort } = await makeEnvironment(rest)
  const parent = spawn(process.execPath, ['--disable-proto=throw', builtEntry(entry)], {
    env: processEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(parent, 'exit')
  owner.defer(async () => {
    parent.kill('SIGKILL')
    await ended
  })
  const log: Line[] = []
  createInterface(parent.stdout).on('line', (line) => log.push(JSON.parse(line)))
  const internal = `http://127.0.0.1:${metricsPort}`
  const metrics = async () => {
    const answer = await fetch(`${internal}/metrics`, { headers: { connection: 'close' } })
    return answer.text()
  }
  const untilReady = () =>
    waitFor(async () => expect((await fetch(`${internal}/readyz`)).status).toBe(200), PATIENT)
  /** Of the processes that were started in this place, in order. */
  const started = (place: number): ProcessIdentity[] =>
    log
      .filter(({ msg, process: number }) => msg === 'process started' && number === place)
      .map(({ childPid: pid = Number.NaN }) => identifyProcess(pid) ?? { pid, startedAt: 'ended' })
  await untilReady()
  // The log may arrive after the answer.
  await waitFor(() => expect([1, 2].flatMap(started)).toHaveLength(2), PATIENT)
  const signal = (place: number, kind: NodeJS.Signals) => {
    const last = started(place).at(-1)
    if (last) process.kill(last.pid, kind)
  }
  return { parent, ended, port, internal, log, metrics, started, signal, untilReady }
}

/** Two that the tests of a group share, the last of which ends both. */
function twoForGroup(entry: 'server' | 'impatient-server') {
  const two = {} as Awaited<ReturnType<typeof startTwo>>
  const owned = new AsyncDisposableStack()
  beforeAll(async () => void Object.assign(two, await startTwo(entry, {}, owned)), LONG_SCENARIO_MS)
  afterAll(() => owned.disposeAsync())
  return two
}

/** On a connection of its own. */
async function callOnce(port: number, target: string): Promise<Response> {
  const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(20_000),
  })
  await answer.arrayBuffer()
  return answer
}

const readValue = (metrics: string, series: string) =>
  Number(
    metrics
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1],
  )

const countOf = (route: string) =>
  `svc_http_request_seconds_count{method="GET",route="${route}",status="200"}`

const warnings = (log: readonly Line[]) => log.filter(({ msg }) => msg.includes('max_connections'))

describe('two processes of the API', { timeout: LONG_SCENARIO_MS }, () => {
  const api = twoForGroup('server')

  test('connections go to the processes in turn, and what all count is added up', async () => {
    const remaining: number[] = []
    for (let sent = 0; sent < 20; sent += 1) {
      const { headers } = await callOnce(api.port, '/errors')
      remaining.push(Number(headers.get('ratelimit-remaining')))
    }
    // Each counts by itself the 120 a minute that it serves to one source.
    expect(Math.min(...remaining)).toBe(110)
    const metrics = await api.metrics()
    expect(readValue(metrics, countOf('/errors'))).toBe(20)
    expect(readValue(metrics, 'svc_processes_missing')).toBe(0)
    for (const process of [1, 2]) {
      const memory = readValue(metrics, `process_resident_memory_bytes{process="${process}"}`)
      expect(memory).toBeGreaterThan(10_000_000)
    }
    expect(readValue(metrics, 'process_resident_memory_bytes')).toBeNaN()
    const builds = await database.db.selectFrom('processes').select('version as build').execute()
    const first = { msg: 'starting processes', kind: 'api', pid: api.parent.pid, ...builds[0] }
    expect(api.log[0]).toMatchObject(first)
    const begun = api.log.filter(({ msg }) => msg === 'starting')
    expect(begun).toMatchObject(builds)
    expect(new Set(begun.map(({ pid }) => pid)).size).toBe(2)
    const reports = await database.db.selectFrom('processes').select('kind').execute()
    expect(reports.map(({ kind }) => kind)).toEqual(['api', 'api'])
    // PostgreSQL has as many connections as they may open.
    expect(warnings(api.log)).toEqual([])
  })

  test('SIGTERM drains every process: each answers what it has in flight', async () => {
    const requests = await Promise.all(
      Array.from({ length: 6 }, () => beginRequest(database.db, api.port)),
    )
    api.parent.kill('SIGTERM')
    await waitFor(
      () => expect(api.log.filter(({ msg }) => msg === 'draining')).toHaveLength(2),
      PATIENT,
    )
    for (const { request } of requests) request.end(BODY)
    for (const { answered } of requests) {
      const response = await answered
      expect(response.statusCode).toBe(201)
      await text(response)
    }
    expect(await api.ended).toEqual([0, null])
    expect(api.log.filter(({ msg }) => msg === 'drained')).toHaveLength(2)
  })
})

describe('two processes of the API of which one is killed', { timeout: LONG_SCENARIO_MS }, () => {
  const api = twoForGroup('server')

  test('a process that is killed is replaced, no request hangs, and no counter falls', async () => {
    for (let sent = 0; sent < 10; sent += 1) await callOnce(api.port, '/healthz')
    expect(readValue(await api.metrics(), countOf('/healthz'))).toBe(10)
    // Stopped, it is sent one connection and no more.
    api.signal(1, 'SIGSTOP')
    const statuses: number[] = []
    const failures: unknown[] = []
    const calls = Array.from({ length: 6 }, () =>
      callOnce(api.port, '/healthz').then(
        ({ status }) => statuses.push(status),
        (error: unknown) => failures.push(error),
      ),
    )
    await waitFor(() => expect(statuses).toEqual(Array(5).fill(200)), PATIENT)
    api.signal(1, 'SIGKILL')
    await Promise.all(calls)
    // That one is reset: a request that waited would end by its own limit, a DOMException.
    expect(failures).toEqual([expect.any(TypeError)])
    await waitFor(() => expect(api.started(1)).toHaveLength(2), PATIENT)
    expect(api.log).toContainEqual(
      expect.objectContaining({ msg: 'process ended; another one starts', how: 'SIGKILL' }),
    )
    await waitFor(async () => {
      const metrics = await api.metrics()
      expect(readValue(metrics, countOf('/healthz'))).toBe(15)
      expect(readValue(metrics, 'svc_processes_missing')).toBe(0)
    }, PATIENT)
    await api.untilReady()
  })

  test('processes end by themselves when their parent is killed', async () => {
    const children = [...api.started(1), ...api.started(2)]
    expect(children.filter(isAlive)).toHaveLength(2)
    api.parent.kill('SIGKILL')
    await waitFor(() => expect(children.filter(isAlive)).toEqual([]), PATIENT)
  })
})

describe('two processes of the API whose parent does not wait long', {
  timeout: LONG_SCENARIO_MS,
}, () => {
  const api = twoForGroup('impatient-server')

  test('a process that hangs gets one connection more at most, and is replaced', async () => {
    api.signal(2, 'SIGSTOP')
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, () => callOnce(api.port, '/healthz')),
    )
    // One is on its way to it.
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(9)
    await waitFor(() => expect(api.started(2)).toHaveLength(2), PATIENT)
    expect(api.log).toContainEqual(expect.objectContaining({ msg: 'process hangs; killing it' }))
    await api.untilReady()
  })

  test('a process that dies again and again ends all, with code 1', async () => {
    for (let deaths = 1; deaths <= 5; deaths += 1) {
      await waitFor(() => expect(api.started(1)).toHaveLength(deaths), PATIENT)
      api.signal(1, 'SIGKILL')
    }
    expect(await api.ended).toEqual([1, null])
    expect(api.log).toContainEqual(
      expect.objectContaining({ msg: 'process ends again and again; ending all', process: 1 }),
    )
  })
})

test('more connections than PostgreSQL has are warned of once', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  // Behind a pooler they are more than it opens, and nobody can say how many are too many.
  const direct = open.use(await createTestDatabase({ isDirect: true }))
  const settings = { DATABASE_URL: direct.url, DATABASE_CONNECTIONS: '500' }
  const many = await startTwo('worker', settings)
  await waitFor(() => expect(warnings(many.log)).toHaveLength(1), PATIENT)
  expect(warnings(many.log)[0]?.msg).toMatch(/^the processes may open 1000 connections, and/)
})

test('two workers of one command deliver, sweep, and drain', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const { db } = database
  const receiver = open.use(await startReceiver())
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId, { url: receiver.url })
  const worker = await startTwo('worker')
  await addEvents(db, tenantId, 20)
  await waitFor(async () => {
    const deliveries = await readDeliveries(db, webhookId)
    expect(deliveries.filter(({ state }) => state === 'delivered')).toHaveLength(20)
    const metrics = await worker.metrics()
    expect(readValue(metrics, 'svc_delivery_attempts_total{outcome="delivered"}')).toBe(20)
    for (const process of [1, 2]) {
      const series = `svc_last_sweep_timestamp_seconds{sweep="work",process="${process}"}`
      expect(readValue(metrics, series)).toBeGreaterThan(0)
    }
  }, PATIENT)
  worker.parent.kill('SIGTERM')
  expect(await worker.ended).toEqual([0, null])
})

test.each(['server', 'worker'] as const)(
  'an invalid configuration of several %s processes is reported once',
  async (entry) => {
    const { env } = await makeEnvironment({ DRAIN_SECONDS: 'soon' })
    expect(await runEntry(entry, env)).toEqual({
      exitCode: 1,
      errors:
        'Invalid configuration. Correct these variables and start again:\nDRAIN_SECONDS must be a whole number from 1 to 600\n',
    })
  },
)

test('what keeps every process from starting is reported once', async () => {
  const { port } = open.use(await listen(createServer()))
  const { env } = await makeEnvironment({ PORT: String(port) })
  const { exitCode, errors } = await runEntry('server', env)
  expect(exitCode).toBe(1)
  expect(errors).toMatch(
    /^The process could not start: [^\n]*EADDRINUSE[^\n]*Choose another PORT or METRICS_PORT\.\n$/,
  )
})

test('SIGTERM while processes start ends them', async () => {
  // A database that accepts connections and never answers holds up the start.
  const hanging = open.use(await listen(createServer()))
  const databaseUrl = `postgres://app:app@127.0.0.1:${hanging.port}/lending`
  const { env } = await makeEnvironment({ DATABASE_URL: databaseUrl })
  const api = startEntry('server', env)
  // The parent's, which asks for the connection limit, and the first process's.
  await waitFor(() => expect(hanging.connections()).toBeGreaterThanOrEqual(2), PATIENT)
  api.process.kill('SIGTERM')
  expect(await api.ended).toEqual([0, null])
})
