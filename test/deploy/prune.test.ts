import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const script = resolve(import.meta.dirname, '..', '..', 'scripts', 'prune-packages.ts')

const KEPT = [
  'plain/package.json',
  'plain/index.js',
  'plain/LICENSE.md',
  'plain/dist/index.mjs',
  'plain/dist/docs/page.js',
  'plain/node_modules/inner/index.cjs',
  '@scope/native/prebuilds/linux-x64/native.node',
  '@scope/test/index.js',
  'docs/index.js',
]
const DELETED = [
  'plain/README.md',
  'plain/index.d.ts',
  'plain/dist/index.mjs.map',
  'plain/src/index.ts',
  'plain/test/index.js',
  'plain/node_modules/inner/examples/one.js',
  '@scope/native/prebuilds/darwin-arm64/native.node',
  '@scope/native/binding.cc',
  '@scope/native/docs/page.html',
]

test('what no process loads is deleted from the packages of the image, and what one may load stays', () => {
  using folder = createTemporaryFolder()
  for (const name of [...KEPT, ...DELETED]) {
    const path = join(folder.path, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, '')
  }
  const { status, stderr } = spawnSync(process.execPath, [script, folder.path, 'linux-x64'], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const files = readdirSync(folder.path, { recursive: true, encoding: 'utf8' })
  const present = files.filter((name) => [...KEPT, ...DELETED].includes(name))
  expect(present.sort()).toEqual([...KEPT].sort())
  expect(existsSync(join(folder.path, 'plain', 'test'))).toBe(false)
})
