import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ForeignStack } from '../../src/db/connections/stack-identity.ts'
import { startJobs } from '../../src/jobs/start-jobs.ts'
import { verifyOwnStores } from '../../src/process/own-stores.ts'
import { createResources, type Resources } from '../../src/process/resources.ts'
import { findAll, readText } from '../deploy/read-text.ts'
import { liveEnvironment, testConfig, testEnvironment } from '../support/process/config.ts'
import { runEntry } from '../support/process/entry.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { emptyRedis, serviceRedisUrl, testRedisUrl } from '../support/stores/redis.ts'
import { startRedisProxy } from '../support/stores/redis-proxy.ts'

let database: TestDatabase
let other: TestDatabase
let redisUrl: string
let open: AsyncDisposableStack
beforeAll(async () => {
  database = await createTestDatabase()
  other = await createTestDatabase()
  await sql`UPDATE stack SET instance_id = ${randomUUID()}`.execute(other.db)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})
beforeEach(async () => {
  open = new AsyncDisposableStack()
  redisUrl = await serviceRedisUrl()
})
afterEach(() => open.disposeAsync())

function openResources(databaseUrl: string, redis = redisUrl): Resources {
  const resources = createResources(testConfig({ databaseUrl, redisUrl: redis }))
  open.defer(() => resources.dispose())
  return resources
}

const never = () => expect.unreachable()

test.each(['server', 'worker'] as const)(
  'a live %s does not start on the database of the sandbox',
  async (entry) => {
    const ports = { PORT: '0', METRICS_PORT: '0' }
    const env = liveEnvironment({ databaseUrl: database.appUrl, redisUrl }, ports)
    const { exitCode, errors } = await runEntry(entry, env)
    expect(errors).toBe(
      'The process could not start: the database belongs to the sandbox stack, and STACK is live: set DATABASE_URL to the database of the live stack, or STACK to sandbox\n',
    )
    expect(exitCode).toBe(1)
  },
)

test('a process does not start on the Redis of another sandbox, which keeps its owner', async () => {
  await verifyOwnStores(openResources(other.appUrl), never)
  const env = testEnvironment(
    { databaseUrl: database.appUrl, redisUrl },
    { PORT: '0', METRICS_PORT: '0' },
  )
  const { exitCode, errors } = await runEntry('server', env)
  expect(errors).toMatch(
    /^The process could not start: the Redis \S+ belongs to another stack \(sandbox [0-9a-f-]{36}\), and the database to sandbox [0-9a-f-]{36}: set REDIS_URL to the Redis of this stack, or empty that one \(FLUSHDB\) if its stack is gone\n$/,
  )
  expect(exitCode).toBe(1)
  await verifyOwnStores(openResources(other.appUrl), never)
})

test('an emptied Redis belongs to the stack that uses it next, and stays its own', async () => {
  await verifyOwnStores(openResources(database.appUrl), never)
  await emptyRedis(redisUrl)
  await verifyOwnStores(openResources(other.appUrl), never)
  await expect(verifyOwnStores(openResources(database.appUrl), never)).rejects.toThrow(ForeignStack)
})

test('a process that started without Redis ends when the Redis that comes is another stack’s', async () => {
  const plain = await testRedisUrl()
  await verifyOwnStores(openResources(other.appUrl, plain), never)
  const proxy = open.use(await startRedisProxy(plain))
  await proxy.goDown()
  const onForeign = vi.fn()
  await verifyOwnStores(openResources(database.appUrl, proxy.url), onForeign)
  await proxy.comeBack()
  await waitFor(() => expect(onForeign).toHaveBeenCalledWith(expect.any(ForeignStack)))
})

test('a process that started without its database uses no connection to another stack’s', async () => {
  const { db } = openResources(database.appUrl)
  await sql`UPDATE stack SET name = 'live'`.execute(database.db)
  try {
    await expect(sql`SELECT 1`.execute(db)).rejects.toThrow(ForeignStack)
  } finally {
    await sql`UPDATE stack SET name = 'sandbox'`.execute(database.db)
  }
  expect((await sql`SELECT 1 AS one`.execute(db)).rows).toEqual([{ one: 1 }])
})

/** A user of the Redis with these rights, until the test ends; the address with it, and what it was refused. */
async function addRedisUser(rights: string) {
  const plain = await testRedisUrl()
  const admin = new Redis(plain)
  const name = `user-${randomUUID()}`
  await admin.call('ACL', 'SETUSER', name, 'on', '>secret', ...rights.split(' '))
  open.defer(async () => {
    await admin.call('ACL', 'DELUSER', name)
    admin.disconnect()
  })
  const url = new URL(plain)
  Object.assign(url, { username: name, password: 'secret' })
  const listRefused = async () => {
    const log = (await admin.call('ACL', 'LOG', '128')) as unknown[]
    return log.filter((entry) => JSON.stringify(entry).includes(name))
  }
  return { url: url.href, listRefused }
}

test('a Redis user who lacks a right ends the start in one sentence that names it', async () => {
  const { url } = await addRedisUser('~* &* +@all -info')
  const env = testEnvironment(
    { databaseUrl: database.appUrl, redisUrl: url },
    { PORT: '0', METRICS_PORT: '0' },
  )
  const { exitCode, errors } = await runEntry('server', env)
  expect(errors).toMatch(
    /\nThe process could not start: the Redis user of REDIS_URL lacks a right \(NOPERM .*'info'.*\): docs\/configuration\.md has the rule that gives it what the service needs\n$/,
  )
  expect(exitCode).toBe(1)
})

test('the rule of docs/configuration.md gives a Redis user all that the service asks for', async () => {
  const [rights = ''] = findAll(
    readText('docs/configuration.md'),
    /^ACL SETUSER lending on >\S+ (.+)$/gm,
  )
  const { url, listRefused } = await addRedisUser(rights)
  const resources = openResources(database.appUrl, url)
  await verifyOwnStores(resources, never)
  const jobs = startJobs(resources)
  open.defer(() => jobs.drain())
  await resources.buckets.take({ tenantId: 'ten_1' }, 'reads')
  await waitFor(async () => expect(await resources.readReadiness()).toMatchObject({ redis: 'ok' }))
  expect(await listRefused()).toEqual([])
})
