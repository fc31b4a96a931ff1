import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const script = resolve(import.meta.dirname, '..', '..', 'deploy', 'backup', 'backup.sh')

let folder: ReturnType<typeof createTemporaryFolder>
beforeEach(() => {
  folder = createTemporaryFolder()
})
afterEach(() => folder[Symbol.dispose]())

/** Stand-ins for PostgreSQL's programs, which note how they were called. */
function environment(pgDump: string) {
  const note = `echo "$(basename "$0") $* $PGPASSWORD" >> ${folder.path}/calls\n`
  const programs = { pg_dump: pgDump, pg_restore: '', dropdb: '', createdb: '' }
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(folder.path, name), `#!/bin/sh\n${note}${body}`, { mode: 0o755 })
  }
  const password = join(folder.path, 'password')
  writeFileSync(password, 'hunter2\n')
  return {
    PATH: `${folder.path}:${path}`,
    BACKUP_FOLDER: folder.path,
    PGDATABASE: 'lending',
    PGPASSWORD_FILE: password,
  }
}

const WRITES = 'for last; do :; done; echo data > "$(echo "$last" | cut -d = -f 2)"'
const { PATH: path } = process.env

function run(command: string[], pgDump = WRITES, extra: Record<string, string> = {}) {
  const env = { ...environment(pgDump), ...extra }
  return spawnSync('sh', [script, ...command], { env, encoding: 'utf8' })
}

const dumps = () => readdirSync(folder.path).filter((name) => /\.dump/.test(name))

function age(name: string, hours: number): void {
  const at = Date.now() / 1_000 - hours * 3_600
  writeFileSync(join(folder.path, name), 'old')
  utimesSync(join(folder.path, name), at, at)
}

test('a backup is written whole, deletes what is past its days, and leaves its time for the alarm', () => {
  age('lending-20200101T000000Z.dump', 15 * 24)
  age('lending-20200102T000000Z.dump', 13 * 24)
  const before = Math.floor(Date.now() / 1_000)
  expect(run(['once'])).toMatchObject({ status: 0, stderr: '' })
  expect(dumps().length).toBe(2)
  expect(dumps()[0]).toBe('lending-20200102T000000Z.dump')
  expect(dumps()[1]).toMatch(/^lending-\d{8}T\d{6}Z\.dump$/)
  const metrics = readFileSync(join(folder.path, 'lending_backup.prom'), 'utf8')
  const [, seconds = ''] = /^lending_backup_timestamp_seconds (\d+)$/m.exec(metrics) ?? []
  expect(Number(seconds)).toBeGreaterThanOrEqual(before)
  expect(metrics).toMatch(/^lending_backup_duration_seconds \d+$/m)
  expect(metrics).toMatch(/^lending_backup_interval_seconds 86400$/m)
  expect(readFileSync(join(folder.path, 'calls'), 'utf8')).toMatch(/^pg_dump .* hunter2\n/)
})

test('a dump is as old as its start, so the time that it takes does not move the next one', () => {
  expect(run(['once'], `sleep 1.1; ${WRITES}`)).toMatchObject({ status: 0, stderr: '' })
  const [file = ''] = dumps()
  const metrics = readFileSync(join(folder.path, 'lending_backup.prom'), 'utf8')
  const [, started, seconds] =
    /_timestamp_seconds (\d+)\n.*_duration_seconds (\d+)\n/.exec(metrics) ?? []
  expect(statSync(join(folder.path, file)).mtimeMs / 1_000).toBeLessThan(
    Number(started) + Number(seconds),
  )
})

test('a backup that fails deletes nothing but its part, and the time of the last one stays', () => {
  age('lending-20200101T000000Z.dump', 15 * 24)
  expect(run(['once'], `${WRITES}; exit 1`)).toMatchObject({
    status: 1,
    stderr: 'the backup failed\n',
  })
  expect(dumps()).toEqual(['lending-20200101T000000Z.dump'])
  expect(existsSync(join(folder.path, 'lending_backup.prom'))).toBe(false)
})

test('a dump is taken when the newest is old enough, and SIGTERM ends the wait for the next', async () => {
  age('lending-20200101T000000Z.dump', 25)
  const child = spawn('sh', [script], { env: environment(WRITES) })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(dumps().length).toBe(2)
})

test('a restore replaces the database, and not before the dump has been read', () => {
  const file = join(folder.path, 'lending-1.dump')
  expect(run(['restore', file])).toMatchObject({ status: 0 })
  const calls = readFileSync(join(folder.path, 'calls'), 'utf8').split('\n').slice(0, -1)
  expect(calls.map((call) => call.replace(/ hunter2$/, ''))).toEqual([
    `pg_restore --list ${file}`,
    'dropdb --force --if-exists lending',
    'createdb lending',
    `pg_restore --dbname=lending --no-privileges --exit-on-error ${file}`,
  ])
})

test('backup.sh refuses a command that it does not know', () => {
  expect(run(['dump'])).toMatchObject({ status: 2 })
})
