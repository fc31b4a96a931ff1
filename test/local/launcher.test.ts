import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../src/client/client.ts'
import type { Db } from '../../src/db/database.ts'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { readJson } from '../../src/local/private-file.ts'
import { identifyProcess } from '../../src/local/process-identity.ts'
import { runLauncher } from '../support/process/launcher.ts'
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
      `The migrations failed: the database has migration 9999-newer, which this build does not know and cannot work with: start a newer build. If you do not need the data, delete ${folder.path} and start again.`,
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
      MAX_WEBHOOKS: 'x',
    })

    expect(await launcher.exitCode).toBe(1)
    const [ended, ...tail] = lines(await launcher.errors)
    expect(ended).toMatch(/^The (API|worker) stopped by itself \(exit code 1\): see \S+\.log\.$/)
    expect(tail.join('\n')).toMatch(/^ {2}MAX_WEBHOOKS must be a whole number/m)
  })

  test('a start fails with its reason, without a stack trace, when PORT is no port', async () => {
    await using launcher = runLauncher({ PORT: '80a' })

    expect(await launcher.exitCode).toBe(1)
    expect(lines(await launcher.errors)).toEqual(['PORT must be a port number.'])
  })
})

describe('a stack that is up', { timeout: LONG_SCENARIO_MS }, () => {
  async function startStack(
    folder: string,
    env: Record<string, string> = {},
    migrateAhead?: (db: Db) => Promise<unknown>,
  ) {
    const [port] = await findFreePorts(1)
    const database = await createTestDatabase()
    await migrateAhead?.(database.db)
    const launcher = runLauncher({
      PORT: String(port),
      LOCAL_DIR: folder,
      DATABASE_URL: database.url,
      REDIS_URL: await testRedisUrl(),
      ...env,
    })
    await waitFor(async () => {
      const response = await fetch(`http://127.0.0.1:${port}/readyz`)
      expect(response.status).toBe(200)
      expect(noted.parse(readJson(join(folder, 'launcher.json'))).children).toHaveLength(2)
    })
    const children = noted
      .parse(readJson(join(folder, 'launcher.json')))
      .children.map((child) => child.pid)
    return {
      launcher,
      children,
      baseUrl: `http://127.0.0.1:${port}`,
      async [Symbol.asyncDispose]() {
        await launcher[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  }

  test('a running stack prints how to reach it, and SIGTERM stops all of it and succeeds', async () => {
    using folder = createTemporaryFolder()
    await using stack = await startStack(folder.path)
    const file = join(folder.path, 'sandbox.json')
    const credentials = JSON.parse(readFileSync(file, 'utf8'))
    expect(credentials).toEqual({
      base_url: stack.baseUrl,
      tenant_id: expect.stringMatching(/^ten_/),
      key_id: expect.stringMatching(/^key_/),
      private_key_pem: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----/),
    })
    const stories = join(folder.path, 'stories.json')
    expect(JSON.parse(readFileSync(stories, 'utf8')).tenant_id).toMatch(/^ten_/)
    for (const kept of [file, stories]) expect(statSync(kept).mode & 0o777).toBe(0o600)

    stack.launcher.process.kill('SIGTERM')
    expect(await stack.launcher.exitCode).toBe(0)
    expect(stack.children.map(identifyProcess)).toEqual([undefined, undefined])
    expect(await stack.launcher.errors).toBe('')
  })

  test('a stack starts on the data of a newer build with which this one works, and reports so', async () => {
    using folder = createTemporaryFolder()
    const newer = sql`INSERT INTO kysely_migration VALUES ('9999-newer', '', '0013-audit')`
    await using stack = await startStack(folder.path, {}, (db) => newer.execute(db))
    stack.launcher.process.kill('SIGTERM')
    expect(await stack.launcher.output).toMatch(
      /\n {2}Migrations {3}the data is of a newer build \(9999-newer\), which works\n/,
    )
  })

  test.each([
    ['127.0.0.1', undefined],
    ['0.0.0.0', 'url_not_allowed'],
  ])('a stack that listens on %s answers a webhook to this machine with %s', async (host, code) => {
    using folder = createTemporaryFolder()
    await using _stack = await startStack(folder.path, { HOST: host })
    const kept = JSON.parse(readFileSync(join(folder.path, 'sandbox.json'), 'utf8'))
    const client = createClient({
      baseUrl: kept.base_url,
      keyId: kept.key_id,
      privateKeyPem: kept.private_key_pem,
    })
    const registered = client.registerWebhook({ url: 'http://127.0.0.1:9/' })
    if (code) await expect(registered).rejects.toMatchObject({ code })
    else expect(await registered).toMatch(/^whk_/)
    // Whose ports these are: the API's, and what the launcher chose for API and worker.
    const [, worker] = noted.parse(readJson(join(folder.path, 'launcher.json'))).children
    const port = metricsPortOf(worker?.pid)
    expect(port).toMatch(/^\d+$/)
    for (const own of [port, new URL(kept.base_url).port]) {
      const url = `http://127.0.0.1:${own}/`
      await expect(client.registerWebhook({ url })).rejects.toMatchObject({
        code: 'url_not_allowed',
      })
    }
  })

  test('a stack stops as a whole and fails when one of its processes dies', async () => {
    using folder = createTemporaryFolder()
    await using stack = await startStack(folder.path)
    process.kill(stack.children[1] ?? 0, 'SIGKILL')

    expect(await stack.launcher.exitCode).toBe(1)
    expect(stack.children.map(identifyProcess)).toEqual([undefined, undefined])
    expect(lines(await stack.launcher.errors)).toEqual([
      `The worker stopped by itself (SIGKILL): see ${join(folder.path, 'logs', 'worker.log')}.`,
    ])
  })
})
