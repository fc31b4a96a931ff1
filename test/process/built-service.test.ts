import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { NODE_FLAGS } from '../../src/local/process-options.ts'
import { addEvents, addWebhook, readDeliveries } from '../support/deliveries/deliveries.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { testEnvironment } from '../support/process/config.ts'
import { processEnvironment } from '../support/process/entry.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { startReceiver } from '../support/servers/endpoint.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

const PATIENT = { timeout: 60_000, interval: 50 }
const ROOT = join(import.meta.dirname, '..', '..')

let open: AsyncDisposableStack
let database: TestDatabase

beforeEach(async () => {
  open = new AsyncDisposableStack()
  database = open.use(await createTestDatabase())
})
afterEach(() => open.disposeAsync())

/** As the image does: by the name of the source, which is a link to what was built. */
async function startBuilt(entry: 'server' | 'worker') {
  const link = join(inject('builtService'), `${entry}.ts`)
  symlinkSync(`${entry}.js`, link)
  const [port = 0, metricsPort = 0] = await findFreePorts(2)
  const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  const ports = { HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: String(metricsPort) }
  const child = spawn(process.execPath, [...NODE_FLAGS, link], {
    env: processEnvironment(testEnvironment(stores, ports)),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  open.defer(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const isReady = async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).status
  await waitFor(async () => expect(await isReady()).toBe(200), PATIENT)
  const end = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  return { address: `http://127.0.0.1:${port}`, end }
}

const pathsOf = (document: string) => JSON.parse(document).paths

test('the built API serves what the sources do, and ends in order', {
  timeout: LONG_SCENARIO_MS,
}, async () => {
  const { address, end } = await startBuilt('server')
  const read = async (path: string) => {
    const answer = await fetch(`${address}${path}`)
    expect([path, answer.status]).toEqual([path, 200])
    return await answer.text()
  }
  const committed = readFileSync(join(ROOT, 'openapi.json'), 'utf8')
  expect(pathsOf(await read('/openapi.json'))).toEqual(pathsOf(committed))
  // Read from beside a source, from the root, and from beside a package.
  const sheet = readFileSync(join(ROOT, 'src', 'http', 'reference', 'page.css'), 'utf8')
  expect(await read('/docs/page.css')).toBe(sheet)
  expect(await read('/docs/guides/signing')).toContain('<h1')
  expect(await read('/docs')).toMatch(/scalar\.\w+\.js/)
  expect(await end()).toEqual([0, null])
})

test('the built worker delivers events', { timeout: LONG_SCENARIO_MS }, async () => {
  const { db } = database
  const receiver = open.use(await startReceiver())
  const tenantId = await openTenant(db)
  const webhookId = await addWebhook(db, tenantId, { url: receiver.url })
  const { end } = await startBuilt('worker')
  await addEvents(db, tenantId, 3)
  await waitFor(async () => {
    const states = (await readDeliveries(db, webhookId)).map(({ state }) => state)
    expect(states).toEqual(['delivered', 'delivered', 'delivered'])
  }, PATIENT)
  expect(await end()).toEqual([0, null])
})

test('what is built has no part of the queue that is for PostgreSQL', () => {
  const folder = inject('builtService')
  const files = readdirSync(folder).filter((file) => file.startsWith('packages-bullmq'))
  expect(files).not.toEqual([])
  for (const file of files)
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Postgres')
})
