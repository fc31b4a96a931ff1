import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { announceStack, withdrawStack } from '../../src/local/running-stack.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { createDatabaseCli, run } from './database-cli.ts'

const database = await createTestDatabase()
const folder = mkdtempSync(join(tmpdir(), 'cli-program-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database[Symbol.asyncDispose]()
})
const cli = createDatabaseCli(database.url)

const script = join(import.meta.dirname, '../../src/cli.ts')
const start = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [script, ...args], {
    env: { ...process.env, DATABASE_URL: database.url, ...env },
  })

test('the program runs as a process of its own and exits with 0, 1 or 2', async () => {
  const [listed, refused, misused] = await Promise.allSettled([
    ...[start(['tenants', 'list', '--json']), start(['tenants', 'create', ' '])],
    start(['tenants', 'lst']),
  ])
  expect(listed).toMatchObject({ value: { stdout: expect.stringContaining('"items"') } })
  expect(refused).toMatchObject({ reason: { code: 1, stdout: '' } })
  const stderr = "Unknown command 'lst' (Did you mean list?)\n"
  expect(misused).toMatchObject({ reason: { code: 2, stdout: '', stderr } })
})

test('help names the program as it was started: npm uses another name than the image', async () => {
  const names = [
    ['cli', 'npm run cli --'],
    ['', 'node src/cli.ts'],
  ] as const
  await Promise.all(
    names.map(async ([event, name]) => {
      const env = { npm_lifecycle_event: event }
      const { stdout } = await start(['tenants', 'create', 'Acme'], env)
      expect(stdout).toContain(` ${name} keys generate --tenant ten_`)
      expect((await start(['--help'], env)).stdout).toContain(`Usage: ${name} `)
    }),
  )
})

test('a reader of the output may stop early, as head does', async () => {
  const child = spawn(process.execPath, [script, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  const errors = text(child.stderr)
  const [exitCode] = await once(child, 'exit')
  expect([exitCode, await errors]).toEqual([0, ''])
})

test('created tenants are listed, oldest first', async () => {
  const created: { id: string }[] = []
  for (const name of ['Acme Exchange', 'Borealis Wallet']) {
    created.push(await cli.read<{ id: string }>(['tenants', 'create', name]))
  }
  const { items } = await cli.read<{ items: { id: string }[] }>('tenants list')
  expect(items.filter(({ id }) => created.some((tenant) => tenant.id === id))).toEqual(created)
  expect(await cli.show('tenants list')).toMatch(
    /^ID +NAME +CREATED +SUSPENDED +CLOSED\n(ten_\S+ +\S.* +\S+Z +- +-\n)+$/,
  )
})

test.each([
  ['an unknown option', 'tenants list --jsn', "Unknown option '--jsn' (Did you mean --json?)"],
  [
    'an option before the command',
    '--tenant acme keys list',
    "Unknown option '--tenant'. Options follow the command; --help lists them.",
  ],
  ['an unknown command', 'nosuch', "Unknown command 'nosuch'. --help lists the commands."],
  ['a missing option', 'keys list', "Required option '--tenant <id>' not specified."],
  ['a malformed id', 'keys list --tenant acme', 'Expected an id of the form ten_….'],
  ['an excess argument', 'tenants list all', 'Too many arguments'],
])('%s is reported in one sentence', async (_, command, sentence) => {
  const failure = await cli.fail(command)
  expect(failure.code).toBe('usage')
  expect(failure.message).toContain(sentence)
  expect(failure.message).not.toContain('\n')
})

test('a database that does not answer is named without its password', async () => {
  for (const command of ['tenants list', 'migrate']) {
    const env = { DATABASE_URL: 'postgres://operator:opensesame@127.0.0.1:1/lending' }
    const failure = await cli.fail(command, { env })
    expect(failure.code).toBe('unavailable')
    expect(failure.message).toMatch(
      /^The database 127\.0\.0\.1:1\/lending cannot be used: .*ECONNREFUSED/,
    )
    expect(failure.message).not.toContain('opensesame')
  }
})

test('a configuration error is reported with the name of its variable', async () => {
  const failure = await cli.fail('tenants list', { env: { STACK: 'staging' } })
  expect(failure).toEqual({
    code: 'configuration',
    message: 'STACK must be "live" or "sandbox"',
  })
})

test('without DATABASE_URL the command line works on the local stack while it runs, and never for live', async () => {
  const env = { LOCAL_DIR: folder }
  const { id } = await cli.read<{ id: string }>('tenants create Acme')
  announceStack(folder, { databaseUrl: database.url, encryptionKeys: '' })
  expect((await run(['tenants', 'list'], { env })).out).toContain(id)

  const live = await run(['tenants', 'list'], { env: { ...env, STACK: 'live' } })
  expect(live.error).toBe('DATABASE_URL is not set: set it to the database of the live stack.\n')
  withdrawStack(folder)
  const { exitCode, error } = await run(['tenants', 'list'], { env })
  expect(exitCode).toBe(1)
  expect(error).toContain('DATABASE_URL is not set and no local stack runs')
})

test('migrate brings an empty database to the schema that the commands need, once', async () => {
  await using fresh = await createTestDatabase()
  await emptyDatabase(fresh.url)
  const freshCli = createDatabaseCli(fresh.url)
  expect((await freshCli.fail('tenants list')).message).toContain('run the migrate command first')

  expect((await freshCli.fail('migrate')).message).toBe(
    'STACK is not set, and the first migration writes it into the database: set it to live or sandbox.',
  )
  const env = { STACK: 'sandbox' }
  const { applied } = await freshCli.read<{ applied: string[] }>('migrate', { env })
  expect(applied[0]).toBe('0001-stack')
  // A command that names no stack and meets a database that has one need not name it.
  expect(await freshCli.show('migrate')).toBe('Nothing to apply.\n')
  expect(await freshCli.show('tenants list')).toBe('There are no tenants yet.\n')
  const { rows } = await sql`SELECT name, instance_id FROM stack`.execute(fresh.db)
  expect(rows).toEqual([{ name: 'sandbox', instance_id: expect.stringMatching(/^[0-9a-f-]{36}$/) }])
})

test('every command refuses the database of the other stack, by name', async () => {
  await using live = await createTestDatabase()
  await sql`UPDATE stack SET name = 'live'`.execute(live.db)
  const liveCli = createDatabaseCli(live.url)
  for (const command of ['migrate', 'tenants list']) {
    for (const env of [{}, { STACK: 'sandbox' }]) {
      expect(await liveCli.fail(command, { env })).toEqual({
        code: 'unavailable',
        message: expect.stringMatching(
          /cannot be used: the database belongs to the live stack, and STACK is sandbox: set DATABASE_URL to the database of the sandbox stack, or STACK to live\.$/,
        ),
      })
    }
  }
})

test('migrate refuses a server older than PostgreSQL 17 in one sentence, and changes nothing', async () => {
  await using older = await createTestDatabase({ isDirect: true })
  await emptyDatabase(older.url)
  // In place of an older server: its own answer about its version, found before PostgreSQL's.
  await sql`CREATE FUNCTION current_setting(name text) RETURNS text RETURN
    CASE name WHEN 'server_version' THEN '16.14' WHEN 'server_version_num' THEN '160014' END`.execute(
    older.db,
  )
  const url = new URL(older.url)
  url.searchParams.set('options', '-c search_path=public,pg_catalog')
  const olderCli = createDatabaseCli(url.href)
  expect((await olderCli.fail('migrate', { env: { STACK: 'sandbox' } })).message).toBe(
    `The database ${url.host}${url.pathname} cannot be used: the server is PostgreSQL 16.14, and the service needs 17 or later.`,
  )
  const { rows } = await sql`SELECT FROM pg_tables WHERE schemaname = 'public'`.execute(older.db)
  expect(rows).toEqual([])
})

test('migrate and every command accept a database of a newer build on which this one works', async () => {
  await using newer = await createTestDatabase()
  const newerCli = createDatabaseCli(newer.url)
  await sql`INSERT INTO kysely_migration VALUES ('9999-newer', '', '0022-audit')`.execute(newer.db)
  expect(await newerCli.show('migrate')).toBe(
    'Nothing to apply. The database is ahead of this build by 9999-newer, with which this build works.\n',
  )
  expect(await newerCli.read('migrate')).toEqual({ applied: [], newer: ['9999-newer'] })
  expect(await newerCli.show('tenants list')).toBe('There are no tenants yet.\n')

  await sql`UPDATE kysely_migration SET oldest_build = NULL WHERE name = '9999-newer'`.execute(
    newer.db,
  )
  for (const command of ['migrate', 'tenants list']) {
    expect((await newerCli.fail(command)).message).toMatch(
      /cannot be used: the database has migration 9999-newer, which this build does not know and cannot work with: start a newer build\.$/,
    )
  }
})

async function emptyDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  await client.end()
}
