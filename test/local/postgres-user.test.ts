import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findClosedFolder, findUser } from '../../src/local/stores/postgres-user.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const NOBODY = 'nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin'
const POSTGRES = 'postgres:x:101:104:PostgreSQL:/var/lib/postgresql:/bin/bash'

test('root runs PostgreSQL as "postgres" where there is one, else as "nobody"', () => {
  expect(findUser(`root:x:0:0::/root:/bin/bash\n${NOBODY}\n${POSTGRES}\n`)).toEqual({
    uid: 101,
    gid: 104,
  })
  expect(findUser(`root:x:0:0::/root:/bin/bash\n${NOBODY}\n`)).toEqual({ uid: 65534, gid: 65533 })
  expect(findUser('root:x:0:0::/root:/bin/bash\n')).toBeUndefined()
})

test('the highest folder that others may not enter is found', () => {
  using folder = createTemporaryFolder()
  const closed = join(folder.path, 'closed')
  const inner = join(closed, 'inner')
  mkdirSync(inner, { recursive: true })
  chmodSync(closed, 0o700)
  chmodSync(inner, 0o700)
  expect(findClosedFolder(inner)).toBe(closed)
  chmodSync(closed, 0o711)
  chmodSync(inner, 0o711)
  expect(findClosedFolder(inner)).toBeUndefined()
})
