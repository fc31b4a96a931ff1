import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readFrozen } from '../../../scripts/frozen-migrations.ts'
import { createTemporaryFolder } from '../../support/process/temporary-folder.ts'

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url))
const FIRST = '0001-stack.ts'

test('every migration is in the list, as it was when it was added', () => {
  expect(readFrozen(MIGRATIONS)).toMatchObject({ broken: [], added: [] })
})

test('a migration that is changed, removed or renamed is found, and a new one is added to the list', () => {
  using folder = createTemporaryFolder()
  const copy = join(folder.path, 'migrations')
  mkdirSync(copy)
  for (const file of readdirSync(MIGRATIONS)) copyFileSync(join(MIGRATIONS, file), join(copy, file))
  const { list } = readFrozen(copy)

  writeFileSync(join(copy, FIRST), '\n', { flag: 'a' })
  expect(readFrozen(copy)).toEqual({ broken: [FIRST], added: [], list })
  rmSync(join(copy, FIRST))
  expect(readFrozen(copy)).toEqual({ broken: [FIRST], added: [], list })
  copyFileSync(join(MIGRATIONS, FIRST), join(copy, FIRST))
  renameSync(join(copy, FIRST), join(copy, '9998-stack.ts'))
  expect(readFrozen(copy)).toMatchObject({ broken: [FIRST], added: ['9998-stack.ts'] })
  renameSync(join(copy, '9998-stack.ts'), join(copy, FIRST))

  writeFileSync(join(copy, '9999-notes.ts'), '')
  const { added, broken, list: longer } = readFrozen(copy)
  expect({ added, broken }).toEqual({ added: ['9999-notes.ts'], broken: [] })
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(longer).toBe(`${list}${empty}  9999-notes.ts\n`)
})
