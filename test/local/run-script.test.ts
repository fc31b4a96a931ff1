import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

const RUN = 'scripts/run.mjs'

const { PATH = '' } = process.env

test.each(['pnpm.cjs', 'yarn.js'])(
  'the packages are installed by npm where %s runs the script',
  (launcher) => {
    using folder = createTemporaryFolder()
    mkdirSync(join(folder.path, 'scripts'))
    copyFileSync(RUN, join(folder.path, RUN))
    writeFileSync(join(folder.path, 'package-lock.json'), '{"packages": {"": {}}}')
    const note = join(folder.path, 'called')
    writeFileSync(join(folder.path, 'npm'), `#!/bin/sh\necho "$*" > ${note}\nexit 3\n`, {
      mode: 0o755,
    })
    const { status, stderr } = spawnSync(process.execPath, [join(folder.path, RUN), 'x.ts'], {
      env: {
        PATH: [folder.path, PATH].join(delimiter),
        npm_execpath: join(folder.path, launcher),
      },
      encoding: 'utf8',
    })
    expect(stderr).toContain('npm install failed with exit code 3')
    expect(status).toBe(1)
    expect(readFileSync(note, 'utf8')).toMatch(/^install --no-save /)
  },
)

test.each([
  [{}, 'localhost,127.0.0.1,::1'],
  [{ NO_PROXY: '.example.com' }, '.example.com,localhost,127.0.0.1,::1'],
  [{ NO_PROXY: 'a', no_proxy: 'b' }, 'b,localhost,127.0.0.1,::1'],
])('no script asks a proxy for this machine, with %j', (env, list) => {
  using folder = createTemporaryFolder()
  const script = join(folder.path, 'show.mjs')
  writeFileSync(script, 'console.log(process.env.no_proxy, process.env.NO_PROXY)')
  const { stdout } = spawnSync(process.execPath, [RUN, script], {
    env: { PATH, ...env },
    encoding: 'utf8',
  })
  expect(stdout).toBe(`${list} ${list}\n`)
})
