import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/client/client.ts'
import type { Db } from '../../src/db/database.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { readJson } from '../../src/local/private-file.ts'
import { identifyProcess } from '../../src/local/process-identity.ts'
import { type Launcher, runLauncher } from '../support/process/launcher.ts'
import { LONG_SCENARIO_MS, waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

/** The internal port of one of the stack's processes, as the launcher has printed it. */
function metricsPortOf(pid: number | undefined): string {
  const { stdout } = spawnSync('ps', ['eww', '-o', 'command=', '-p', String(pid)])
  return /\bMETRICS_PORT=(\d+)/.exec(String(stdout))?.[1] ?? ''
}

const lines = (text: string) => text.split('\n').filter((line) => line.trim() !== '')
const noted = z.object({ children: z.array(z.object({ pid: z.number() })) })

describe('a start that cannot succeed reports why, without a stack trace, and fails', {
  timeout: LONG_SCENARIO_MS,
}, () => {
  test('a start fails with its reason, without a stack trace, when the port is in use', async () => {
    using folder = createTemporaryFolder()
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const port = (server.address() as AddressInfo).port
    await using launcher = runLauncher({ PORT: String(port), LOCAL_DIR: folder.path })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual([
      `Port ${port} is in use: stop what listens there, or set PORT to another one.`,
    ])
    expect(existsSync(join(folder.path, 'launcher.json'))).toBe(false)
    server.close()
  })

  test('a start fails with its reason, without a stack trace, when the data folder is incomplete', async () => {
    using folder = createTemporaryFolder()
    const dataFolder = join(folder.path, 'postgres')
    mkdirSync(dataFolder)
    writeFileSync(join(dataFolder, 'PG_VERSION'), '18\n')
    const [port] = await findFreePorts(1)
    await using launcher = runLauncher({ PORT: String(port), LOCAL_DIR: folder.path })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual([
      `${dataFolder} is not a complete PostgreSQL data folder: move it away or delete it, then start again.`,
    ])
  })

  test('a start fails with its reason, without a stack trace, when the database of DATABASE_URL does not answer', async () => {
    using folder = createTemporaryFolder()
    const [port, closedPort] = await findFreePorts(2)
    await using launcher = runLauncher({
      PORT: String(port),
      LOCAL_DIR: folder.path,
      DATABASE_URL: `postgresql://127.0.0.1:${closedPort}/lending`,
    })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual([
      expect.stringMatching(/^The PostgreSQL of DATABASE_URL does not answer \(.+\): start it, or/),
    ])
  })

  test('a start fails with its reason on the data of a newer build with which this one does not work', async () => {
    using folder = createTemporaryFolder()
    const [port] = await findFreePorts(1)
    await using database = await createTestDatabase()
    await sql`INSERT INTO kysely_migration VALUES ('9999-newer', '')`.execute(database.db)
    await using launcher = runLauncher({
      PORT: String(port),
      LOCAL_DIR: folder.path,
      DATABASE_URL: database.url,
      REDIS_URL: await testRedisUrl(),
    })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual([
      `The migrations failed: the database has migration 9999-newer, which this build does not know and cannot work with: start a newer build. The database of DATABASE_URL is as the last migration that succeeded has left it.`,
    ])
  })

  test('a start names the variable, without a stack trace, when the configuration of its processes is wrong', async () => {
    using folder = createTemporaryFolder()
    const [port] = await findFreePorts(1)
    await using database = await createTestDatabase()
    await using launcher = runLauncher({
      PORT: String(port),
      LOCAL_DIR: folder.path,
      DATABASE_URL: database.url,
      REDIS_URL: await testRedisUrl(),
      AUDIT_MINUTES: 'x',
    })

    expect(await launcher.exitCode).toBe(1)
    const [ended, ...tail] = lines(await launcher.errors)
    expect(ended).toMatch(/^The (API|worker) stopped by itself \(exit code 1\): see \S+\.log\.$/)
    expect(tail.join('\n')).toMatch(/^ {2}AUDIT_MINUTES must be a whole number/m)
  })

  test('a start fails with its reason, without a stack trace, when PORT is no port', async () => {
    await using launcher = runLauncher({ PORT: '80a' })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual(['PORT must be a port number.'])
  })
})

type Stack = {
  launcher: Launcher
  folder: string
  children: number[]
  baseUrl: string
}

/** A whole stack that the tests of a group share, until the last of them ends it. */
function stackForGroup(
  env: Record<string, string>,
  migrateAhead?: (db: Db) => Promise<unknown>,
): Stack {
  const stack = {} as Stack
  const owned = new AsyncDisposableStack()
  beforeAll(async () => {
    const folder = owned.use(createTemporaryFolder()).path
    const database = owned.use(await createTestDatabase())
    await migrateAhead?.(database.db)
    const [port] = await findFreePorts(1)
    const baseUrl = `http://127.0.0.1:${port}`
    const launcher = owned.use(
      runLauncher({
        PORT: String(port),
        LOCAL_DIR: folder,
        DATABASE_URL: database.url,
        REDIS_URL: await testRedisUrl(),
        ...env,
      }),
    )
    const children = await waitFor(async () => {
      expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200)
      const pids = readChildren(folder)
      expect(pids).toHaveLength(2)
      return pids
    })
    Object.assign(stack, { launcher, folder, children, baseUrl })
  })
  afterAll(() => owned.disposeAsync())
  return stack
}

const readChildren = (folder: string) =>
  noted.parse(readJson(join(folder, 'launcher.json'))).children.map(({ pid }) => pid)

/** Registers a webhook to a port of this machine that is not the stack's; resolves to the refusal. */
async function registerHere({ folder, children }: Stack): Promise<string | undefined> {
  const kept = JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8'))
  const client = createClient({
    baseUrl: kept.base_url,
    keyId: kept.key_id,
    privateKeyPem: kept.private_key_pem,
  })
  const register = (port: string) =>
    client.registerWebhook({ url: `http://127.0.0.1:${port}/` }).then(
      () => undefined,
      ({ code }: { code: string }) => code,
    )
  // The API's, and what the launcher chose for API and worker.
  const port = metricsPortOf(children[1])
  expect(port).toMatch(/^\d+$/)
  for (const own of [port, new URL(kept.base_url).port]) {
    expect(await register(own)).toBe('url_not_allowed')
  }
  return await register('9')
}

describe('a stack that listens on 127.0.0.1', { timeout: LONG_SCENARIO_MS }, () => {
  const stack = stackForGroup({
    HOST: '127.0.0.1',
    // A proxy that is not there is asked for nothing of this machine.
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: 'http://127.0.0.1:1',
  })

  test('a running stack keeps how to reach it where its user alone can read it', () => {
    const file = join(stack.folder, 'sandbox.json')
    const credentials = JSON.parse(readFileSync(file, 'utf8'))
    expect(credentials).toEqual({
      base_url: stack.baseUrl,
      tenant_id: expect.stringMatching(/^ten_/),
      key_id: expect.stringMatching(/^key_/),
      private_key_pem: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----/),
    })
    const stories = join(stack.folder, 'stories.json')
    expect(JSON.parse(readFileSync(stories, 'utf8')).tenant_id).toMatch(/^ten_/)
    for (const kept of [file, stories]) expect(statSync(kept).mode & 0o777).toBe(0o600)
  })

  test('it accepts a webhook to this machine, but to no port of its own', async () => {
    expect(await registerHere(stack)).toBeUndefined()
  })

  test('SIGTERM stops all of it and succeeds', async () => {
    stack.launcher.process.kill('SIGTERM')
    expect(await stack.launcher.exitCode).toBe(0)
    expect(stack.children.map(identifyProcess)).toEqual([undefined, undefined])
    expect(await stack.launcher.errors).toBe('')
  })
})

describe('a stack that listens on 0.0.0.0, on the data of a newer build', {
  timeout: LONG_SCENARIO_MS,
}, () => {
  const newer = sql`INSERT INTO kysely_migration VALUES ('9999-newer', '', '0022-audit')`
  const stack = stackForGroup({ HOST: '0.0.0.0' }, (db) => newer.execute(db))

  test('it accepts no webhook to this machine', async () => {
    expect(await registerHere(stack)).toBe('url_not_allowed')
  })

  test('it stops as a whole and fails when one of its processes dies', async () => {
    process.kill(stack.children[1] ?? 0, 'SIGKILL')
    expect(await stack.launcher.exitCode).toBe(1)
    expect(stack.children.map(identifyProcess)).toEqual([undefined, undefined])
    expect(lines(await stack.launcher.errors)).toEqual([
      `The worker stopped by itself (SIGKILL): see ${join(stack.folder, 'logs', 'worker.log')}.`,
    ])
  })

  test('it has reported that the data is of a newer build with which this one works', async () => {
    expect(await stack.launcher.output).toMatch(
      /\n {2}Migrations {3}the data is of a newer build \(9999-newer\), which works\n/,
    )
  })
})
