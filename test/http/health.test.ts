import { join } from 'node:path'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addMs, SECOND_MS, systemClock } from '../../src/core/time.ts'
import { createDatabase, type Db } from '../../src/db/database.ts'
import { createReadiness, healthRoutes } from '../../src/http/routes/health.ts'
import { startRedis } from '../../src/local/stores/redis.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { createTestDatabase, type TestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'
import { startRedisProxy } from '../support/stores/redis-proxy.ts'
import { startWireProxy } from '../support/stores/wire-proxy.ts'

const logger = { info: vi.fn(), warn: vi.fn() }

let open: AsyncDisposableStack
let database: TestDatabase
beforeEach(async () => {
  vi.clearAllMocks()
  open = new AsyncDisposableStack()
  database = open.use(await createTestDatabase())
})
afterEach(() => open.disposeAsync())

async function askReadiness(db: Db, redisUrl: string, clock = systemClock) {
  const queueRedis = new Redis(redisUrl, { retryStrategy: null, maxRetriesPerRequest: 0 })
  queueRedis.on('error', () => undefined)
  const app = Fastify()
  healthRoutes(app, {
    build: '1.0.0',
    readReadiness: createReadiness({ db, queueRedis, clock, logger }),
  })
  const { statusCode, body } = await app.inject('/readyz')
  await app.close()
  queueRedis.disconnect()
  return { status: statusCode, ...JSON.parse(body) }
}

const ALL_WELL = {
  ready: true,
  database: 'ok',
  migrations: 'at_head',
  timeouts: 'in_force',
  partitions: 'in_place',
  clock: 'ok',
  redis: 'ok',
}

const unprobed = (migrations: string) => ({ migrations, partitions: 'unknown' })

test('readiness is given with the database at head and Redis there', async () => {
  const answer = await askReadiness(database.db, await testRedisUrl())
  expect(answer).toEqual({ status: 200, ...ALL_WELL })
})

test('callers that ask for readiness at the same time share one check', async () => {
  const queueRedis = new Redis(await testRedisUrl())
  open.defer(async () => queueRedis.disconnect())
  const set = vi.spyOn(queueRedis, 'set')
  const app = Fastify()
  open.defer(() => app.close())
  healthRoutes(app, {
    build: '1.0.0',
    readReadiness: createReadiness({ db: database.db, queueRedis, clock: systemClock, logger }),
  })
  const ask = () => app.inject('/readyz')
  const answers = await Promise.all(Array.from({ length: 50 }, ask))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(set).toHaveBeenCalledTimes(1)
  await ask()
  expect(set).toHaveBeenCalledTimes(2)
})

test('readiness is given without Redis, which is named', async () => {
  const proxy = await startRedisProxy(await testRedisUrl())
  await proxy.goDown()
  const answer = await askReadiness(database.db, proxy.url)
  expect(answer).toEqual({ status: 200, ...ALL_WELL, clock: 'unknown', redis: 'unreachable' })
})

test.each([-61_500, 61_500])(
  'readiness is refused where this process alone is %i ms off',
  async (ms) => {
    const answer = await askReadiness(database.db, await testRedisUrl(), () =>
      addMs(systemClock(), ms),
    )
    expect(answer).toEqual({ status: 503, ...ALL_WELL, ready: false, clock: 'off' })
  },
)

test('readiness is given where the clock of the database alone is wrong, or that of Redis', async () => {
  const redisUrl = await testRedisUrl()
  // A process that agrees with neither: as if each store had a time of its own.
  const time = vi.spyOn(Redis.prototype, 'time')
  open.defer(async () => time.mockRestore())
  const seconds = systemClock().getTime() / SECOND_MS
  time.mockResolvedValue([seconds + 100, 0])
  expect(await askReadiness(database.db, redisUrl)).toEqual({ status: 200, ...ALL_WELL })
  const withRedis = () => addMs(systemClock(), 100 * SECOND_MS)
  const answer = await askReadiness(database.db, redisUrl, withRedis)
  expect(answer).toEqual({ status: 200, ...ALL_WELL })
})

test.each([
  ['behind the newest migration', 'DELETE FROM kysely_migration'],
  ['where nothing was ever migrated', 'DROP TABLE kysely_migration'],
])('readiness is refused %s', async (_, damage) => {
  await sql.raw(damage).execute(database.db)
  const answer = await askReadiness(database.db, await testRedisUrl())
  expect(answer).toEqual({ status: 503, ...ALL_WELL, ready: false, ...unprobed('behind') })
})

test.each([
  ['given', 'after which this build works', '0022-audit', 200, 'ahead'],
  ['refused', 'after which this build does not work', '9999-newer', 503, 'too_new'],
])('readiness is %s ahead of the build by a migration %s', async (...given) => {
  const [, , oldestBuild, status, migrations] = given
  await sql`INSERT INTO kysely_migration VALUES ('9999-newer', '', ${oldestBuild})`.execute(
    database.db,
  )
  const answer = await askReadiness(database.db, await testRedisUrl())
  const found = status === 200 ? { migrations } : unprobed(migrations)
  expect(answer).toEqual({ status, ...ALL_WELL, ready: status === 200, ...found })
})

test('readiness is refused on a database that was made before the first release', async () => {
  await sql`INSERT INTO kysely_migration VALUES ('0001-tenants', '')`.execute(database.db)
  const answer = await askReadiness(database.db, await testRedisUrl())
  expect(answer).toEqual({ status: 503, ...ALL_WELL, ready: false, ...unprobed('too_old') })
})

test('readiness is given with a Redis that takes no writes, which is named with its reason', async () => {
  using folder = createTemporaryFolder()
  const logFile = join(folder.path, 'redis.log')
  const { url, child } = await startRedis({ dataFolder: join(folder.path, 'redis'), logFile })
  open.defer(() => child.stop())
  const redis = new Redis(url)
  open.defer(async () => redis.disconnect())
  await redis.config('SET', 'maxmemory', '1')
  const full = await askReadiness(database.db, url)
  expect(full).toEqual({ status: 200, ...ALL_WELL, redis: 'degraded', redis_error: 'OOM' })
  await redis.config('SET', 'maxmemory', '0')
  expect(await askReadiness(database.db, url)).toEqual({ status: 200, ...ALL_WELL })
  await redis.replicaof('127.0.0.1', 1)
  const replica = await askReadiness(database.db, url)
  expect(replica).toEqual({
    status: 200,
    ...ALL_WELL,
    redis: 'degraded',
    redis_error: 'READONLY',
  })
})

test('readiness is refused where nothing bounds what a session waits for', async () => {
  const unbounded = open.use(await createTestDatabase({ maxConnections: 1 }))
  await sql`SET lock_timeout TO 0`.execute(unbounded.db)
  const answer = await askReadiness(unbounded.db, await testRedisUrl())
  expect(answer).toEqual({ status: 503, ...ALL_WELL, ready: false, timeouts: 'missing' })
})

test('readiness is refused once PostgreSQL has answered nothing for ten seconds, and given again once it answers', async () => {
  const proxy = open.use(await startWireProxy(database.url))
  const db = open.use(createDatabase({ connectionString: proxy.url, maxConnections: 4 }))
  const queueRedis = new Redis(await testRedisUrl())
  open.defer(async () => queueRedis.disconnect())
  const app = Fastify()
  open.defer(() => app.close())
  healthRoutes(app, {
    build: '1.0.0',
    readReadiness: createReadiness({ db, queueRedis, clock: systemClock, logger }),
  })
  const ask = async () => {
    const begun = performance.now()
    const { statusCode: status, body } = await app.inject('/readyz')
    return { status, ...JSON.parse(body), ms: performance.now() - begun }
  }
  // All connections are open, and have lost the server.
  await Promise.all(Array.from({ length: 4 }, () => sql`SELECT pg_sleep(0.1)`.execute(db)))
  expect(await ask()).toMatchObject({ status: 200, ...ALL_WELL })
  proxy.silence('both')
  const silentFrom = performance.now()
  const soon = await ask()
  expect(soon).toMatchObject({ status: 200, ready: true })
  const readied = await waitFor(async () => {
    const answer = await ask()
    expect(answer).toMatchObject({ status: 503, ready: false, database: 'silent' })
    return answer
  })
  expect(performance.now() - silentFrom).toBeGreaterThan(9_000)
  expect(performance.now() - silentFrom).toBeLessThan(16_000)
  for (const { ms } of [soon, readied]) expect(ms).toBeLessThan(5_000)
  proxy.silence('none')
  const backFrom = performance.now()
  await waitFor(async () => expect(await ask()).toMatchObject({ status: 200, ...ALL_WELL }))
  expect(performance.now() - backFrom).toBeLessThan(15_000)
  expect(logger.warn.mock.calls).toEqual([
    [expect.objectContaining({ database: 'silent' }), 'not ready'],
  ])
  expect(logger.info.mock.calls).toEqual([[{ unreadyMs: expect.any(Number) }, 'ready again']])
  await sql`SELECT 1`.execute(db)
}, 90_000)

test('readiness is refused without the database', async () => {
  const other = await createTestDatabase()
  await other[Symbol.asyncDispose]()
  const answer = await askReadiness(other.db, await testRedisUrl())
  expect(answer).toMatchObject({ status: 503, ready: false, database: 'unreachable' })
  expect(answer).toMatchObject({ migrations: 'unknown', timeouts: 'unknown' })
})
