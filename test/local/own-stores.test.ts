import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { findFreePorts } from '../../src/local/free-ports.ts'
import { readJson } from '../../src/local/private-file.ts'
import { commandLineOf, identifyProcess } from '../../src/local/process-identity.ts'
import { NODE_FLAGS } from '../../src/local/process-options.ts'
import { type Launcher, runLauncher } from '../support/process/launcher.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTemporaryFolder } from '../support/process/temporary-folder.ts'

// Starting all of it takes seconds, and on a busy machine many.
const PATIENT = { timeout: 90_000, interval: 100 }
const PATIENT_TEST = 120_000

let folder: ReturnType<typeof createTemporaryFolder>
beforeAll(() => {
  folder = createTemporaryFolder()
})
afterAll(() => folder[Symbol.dispose]())

/** Made by the stack. */
const home = () => join(folder.path, '.local')
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

const noted = z.object({ children: z.array(z.object({ pid: z.number() })) })
const credentials = () => readFileSync(join(home(), 'sandbox.json'), 'utf8')

/** The whole stack as npm start runs it, with stores of its own, once it is ready. */
async function launch() {
  const [port = 0] = await findFreePorts(1)
  const launcher = runLauncher({
    PORT: String(port),
    LOCAL_DIR: home(),
    DATABASE_URL: '',
    REDIS_URL: '',
  })
  const pids = await waitFor(async () => {
    if (launcher.process.exitCode !== null) throw new Error(await launcher.errors)
    const response = await fetch(`http://127.0.0.1:${port}/readyz`)
    expect(await response.json()).toMatchObject({ database: 'ok', redis: 'ok' })
    const { children } = noted.parse(readJson(join(home(), 'launcher.json')))
    expect(children).toHaveLength(4)
    return children.map(({ pid }) => pid)
  }, PATIENT)
  const [postgres = 0, redis = 0, ...processes] = pids
  return { launcher, port, pids, postgres, redis, processes }
}

async function expectGone(
  { pids, launcher }: { pids: number[]; launcher: Launcher },
  code: number,
) {
  expect(await launcher.exitCode).toBe(code)
  expect(pids.map(identifyProcess)).toEqual(pids.map(() => undefined))
}

test(
  'one start brings up the whole stack, the demo runs against it, and Ctrl-C stops all of it',
  async () => {
    const stack = await launch()
    await using launcher = stack.launcher
    for (const pid of stack.processes) {
      for (const flag of NODE_FLAGS) expect(commandLineOf(pid)).toContain(flag)
    }
    const demo = spawn(process.execPath, ['scripts/demo.ts'], {
      env: { ...process.env, LOCAL_DIR: home() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [shown, errors] = await Promise.all([text(demo.stdout), text(demo.stderr)])
    if (demo.exitCode === null) await once(demo, 'exit')
    expect({ code: demo.exitCode, errors }).toEqual({ code: 0, errors: '' })
    for (const line of [
      'borrower.eligible',
      'draw.completed',
      'margin_call.completed',
      'Done in',
    ]) {
      expect(shown).toContain(line)
    }
    for (const page of [`${stack.port}/console/`, `${stack.port + 1_000}/desk/`]) {
      expect((await fetch(`http://localhost:${page}`)).status).toBe(200)
    }
    launcher.process.kill('SIGINT')
    await expectGone(stack, 0)
    expect(await launcher.errors).toBe('')
    const output = await launcher.output
    expect(output).toMatch(/\n {2}PostgreSQL {3}started, data in /)
    expect(output).toMatch(/\n {2}Migrations {3}applied [1-9]\d*, the latest \d{4}-[\w-]+\n/)
    expect(output).toMatch(/\nReady in \d+\.\d s\.\n/)
    expect(output).toMatch(/\nStopped\. The data is kept\.\n$/)
    const logs = join(home(), 'logs')
    expect([modeOf(home()), modeOf(logs)]).toEqual(['700', '700'])
    const names = readdirSync(logs)
    expect(names.length).toBeGreaterThanOrEqual(4)
    expect(names.filter((name) => modeOf(join(logs, name)) !== '600')).toEqual([])
  },
  PATIENT_TEST,
)

test(
  'the next start finds its data, and when PostgreSQL ends the stack ends with a line that names it',
  async () => {
    const before = credentials()
    const stack = await launch()
    await using launcher = stack.launcher
    process.kill(stack.postgres, 'SIGKILL')
    await expectGone(stack, 1)
    expect((await launcher.errors).trim()).toBe(
      `PostgreSQL stopped by itself (SIGKILL): see ${join(home(), 'logs', 'postgres.log')}.`,
    )
    expect(await launcher.output).toMatch(/\n {2}Migrations {3}up to date\n/)
    expect(JSON.parse(credentials()).key_id).toBe(JSON.parse(before).key_id)
  },
  PATIENT_TEST,
)

test(
  'the start after that recovers, and when Redis ends the stack ends likewise',
  async () => {
    const stack = await launch()
    await using launcher = stack.launcher
    process.kill(stack.redis, 'SIGKILL')
    await expectGone(stack, 1)
    expect((await launcher.errors).trim()).toBe(
      `The Redis store stopped by itself (SIGKILL): see ${join(home(), 'logs', 'redis.log')}.`,
    )
  },
  PATIENT_TEST,
)
