import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { readBuild } from '../../src/process/build.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

test('the build is the version with the commit and date of the image, or the version alone', () => {
  using folder = createTemporaryFolder()
  const file = pathToFileURL(join(folder.path, 'BUILD'))
  expect(readBuild(file)).toMatch(/^\d+\.\d+\.\d+$/)
  for (const [written, shown] of [
    ['3f2a1bc4 2026-11-28\n', /^\d+\.\d+\.\d+\+3f2a1bc4\.2026-11-28$/],
    // An image that was built without the argument.
    ['\n', /^\d+\.\d+\.\d+$/],
    ['<"nightly">\n', /^\d+\.\d+\.\d+\+\.nightly\.$/],
  ] as const) {
    writeFileSync(file, written)
    expect(readBuild(file)).toMatch(shown)
  }
})
