import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareFolder } from '../../src/local/settings.ts'
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
