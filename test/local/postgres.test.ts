import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ensureDatabase, type Postgres, startPostgres } from '../../src/local/stores/postgres.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

async function query(postgres: Postgres, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: postgres.urlOf('lending') })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('data survives a clean stop, a half-made folder and a pid file with a reused number', async () => {
  using folder = createTemporaryFolder()
  const options = {
    dataFolder: join(folder.path, 'postgres'),
    logFile: join(folder.path, 'postgres.log'),
    password: 'kept',
    settings: { fsync: 'off' },
  }
  const leftover = `${options.dataFolder}.initialising-killed`
  mkdirSync(leftover)

  const first = await startPostgres(options)
  await ensureDatabase(first, 'lending')
  await query(first, 'CREATE TABLE kept AS SELECT 7 AS answer')
  const pidFile = join(options.dataFolder, 'postmaster.pid')
  const [, ...rest] = readFileSync(pidFile, 'utf8').split('\n')
  await first.child.stop()
  expect(existsSync(leftover)).toBe(false)

  // As after a crash, when the server's number now belongs to something else of its user.
  const { uid, gid } = statSync(options.dataFolder)
  const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  await once(stranger, 'spawn')
  writeFileSync(pidFile, [stranger.pid, ...rest].join('\n'))
  const second = await startPostgres(options)
  await ensureDatabase(second, 'lending')
  expect(await query(second, 'SELECT answer FROM kept')).toEqual([{ answer: 7 }])
  await second.child.stop()
  stranger.kill()
})

test('a folder of another major version is not changed', async () => {
  using folder = createTemporaryFolder()
  const dataFolder = join(folder.path, 'postgres')
  mkdirSync(dataFolder)
  writeFileSync(join(dataFolder, 'PG_VERSION'), '17\n')
  const logFile = join(folder.path, 'postgres.log')
  await expect(startPostgres({ dataFolder, logFile, password: 'any' })).rejects.toThrow(
    `${dataFolder} belongs to PostgreSQL 17, this is PostgreSQL 18: move it away, then start again.`,
  )
})
