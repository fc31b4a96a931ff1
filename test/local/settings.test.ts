import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureSecrets, prepareFolder } from '../../src/local/settings.ts'
import { LONG_SCENARIO_MS } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

test.each([
  ['a new one', 'new', false, '700'],
  ['the default one of an earlier build', '.local', true, '700'],
  ['a chosen one that was there', 'shared', true, '755'],
])('of the folder, %s, and its logs only the owner reads', (_, name, isThere, mode) => {
  using parent = createTemporaryFolder()
  const folder = join(parent.path, name)
  const log = join(folder, 'logs', 'redis.log.previous')
  if (isThere) {
    mkdirSync(join(folder, 'logs'), { recursive: true })
    for (const path of [folder, join(folder, 'logs')]) chmodSync(path, 0o755)
    writeFileSync(log, '', { mode: 0o644 })
  }
  const logs = prepareFolder(folder)
  expect([modeOf(folder), modeOf(logs)]).toEqual([mode, '700'])
  if (isThere) expect(modeOf(log)).toBe('600')
})

test.each(['{"database_password": "kep', '', '{}'])(
  'secrets that are cut off are named, and left as they are: %j',
  (content) => {
    using folder = createTemporaryFolder()
    const file = join(folder.path, 'secrets.json')
    writeFileSync(file, content)
    expect(() => ensureSecrets(folder.path)).toThrow(
      `${file} cannot be read: it is cut off, or changed. Put a copy back`,
    )
    expect(readFileSync(file, 'utf8')).toBe(content)
  },
)

test('secrets are made once', () => {
  using folder = createTemporaryFolder()
  expect(ensureSecrets(folder.path)).toEqual(ensureSecrets(folder.path))
})

test.each([
  [
    { LOCAL_DIR: '/proc/lending/data' },
    [],
    1,
    /^\nLOCAL_DIR \/proc\/lending\/data cannot be used: ENOENT/,
  ],
  [
    {},
    ['--port=80'],
    2,
    /^npm start takes no arguments, and was given --port=80: see npm start -- --help\.\n$/,
  ],
  [{}, ['--help'], 0, /^$/],
] as const)(
  'a start with %j and the arguments %j ends by itself',
  { timeout: 2 * LONG_SCENARIO_MS },
  (env, args, status, errors) => {
    const { stdout, ...ended } = spawnSync(process.execPath, ['src/local.ts', ...args], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: LONG_SCENARIO_MS,
      killSignal: 'SIGKILL',
    })
    expect(ended).toMatchObject({ status, stderr: expect.stringMatching(errors) })
    if (status === 0) expect(stdout).toMatch(/\n {2}LOCAL_DIR {6}folder for data/)
  },
)
