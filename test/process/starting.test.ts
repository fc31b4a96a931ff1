import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, inject, test } from 'vitest'
import { run } from '../cli/database-cli.ts'
import { testEnvironment } from '../support/process/config.ts'
import { runEntry, startEntry } from '../support/process/entry.ts'
import { listen } from '../support/servers/misbehaving-server.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

const PORTS = { PORT: '0', METRICS_PORT: '0' }

test.each(['server', 'worker'] as const)(
  'SIGTERM while a %s starts ends it, as it does where it is process 1',
  async (entry) => {
    // A database that accepts connections and never answers holds up the start.
    const server = createServer()
    await using hanging = await listen(server)
    const connected = once(server, 'connection')
    const databaseUrl = `postgres://app:app@127.0.0.1:${hanging.port}/lending`
    const env = testEnvironment({ databaseUrl, redisUrl: await testRedisUrl() }, PORTS)
    const started = startEntry(entry, env)
    await connected
    started.process.kill('SIGTERM')
    // By its own listener, which process 1 needs: not killed by the signal.
    expect(await started.ended).toEqual([0, null])
  },
)

test('a missing password is reported in one sentence, by processes and commands', async () => {
  const url = new URL(inject('databaseServerUrl'))
  url.password = ''
  const env = testEnvironment({ databaseUrl: url.href, redisUrl: await testRedisUrl() }, PORTS)
  const sentence =
    'PostgreSQL asks for a password, and DATABASE_URL has none: write it as postgres://user:password@host/database, or set DATABASE_PASSWORD'
  const { exitCode, errors } = await runEntry('server', env)
  expect({ exitCode, errors }).toEqual({
    exitCode: 1,
    errors: `The process could not start: ${sentence}\n`,
  })
  const { error } = await run(['tenants', 'list'], { env: { DATABASE_URL: url.href } })
  expect(error).toBe(`The database ${url.host}${url.pathname} cannot be used: ${sentence}.\n`)
})

test('a HOST that is no address of this machine ends the start in one sentence that names it', async () => {
  await using database = await createTestDatabase()
  const stores = { databaseUrl: database.appUrl, redisUrl: await testRedisUrl() }
  const { exitCode, errors } = await runEntry(
    'server',
    testEnvironment(stores, { ...PORTS, HOST: '192.0.2.1' }),
  )
  expect({ exitCode, errors }).toEqual({
    exitCode: 1,
    errors: expect.stringMatching(
      /^The process could not start: listen EADDRNOTAVAIL.* 192\.0\.2\.1.*\. HOST and METRICS_HOST must be addresses of this machine\.\n$/,
    ),
  })
})
