import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLogger } from '../../src/telemetry/logger.ts'
import { waitFor } from '../support/process/patience.ts'

const LOGGER = join(import.meta.dirname, '..', '..', 'src', 'telemetry', 'logger.ts')

/** Runs `code`, which has a `logger` and an `other`, in a process of its own; returns the messages of its lines. */
async function runLogging(code: string): Promise<string[]> {
  const script = `
    import { createLogger } from ${JSON.stringify(LOGGER)}
    const logger = createLogger({ logLevel: 'info', stack: 'sandbox', kind: 'api' })
    const other = createLogger({ logLevel: 'info', stack: 'sandbox', kind: 'api' })
    ${code}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const text = (await child.stdout.toArray()).join('')
  if (child.exitCode === null) await once(child, 'exit')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line).msg)
}

test.each([
  ['ends', ''],
  ['exits at once', 'process.exit(1)'],
  ['fails', 'throw new Error("a fault")'],
  ['waits for more', 'await new Promise((done) => setTimeout(done, 100))'],
])('the lines of a process that %s are written, each once and in order', async (_what, ending) => {
  const messages = await runLogging(`
    for (let n = 0; n < 500; n += 1) logger.info({ n }, 'line ' + n)
    other.error('the last')
    ${ending}`)
  const expected = [...Array.from({ length: 500 }, (_, n) => `line ${n}`), 'the last']
  expect(messages).toEqual(expected)
})

test('each line shows which process wrote it', () => {
  const lines: string[] = []
  const sink = { write: (line: string) => void lines.push(line) }
  createLogger({ logLevel: 'info', stack: 'live', kind: 'worker' }, sink).info('working')
  const written = { stack: 'live', kind: 'worker', host: hostname(), pid: process.pid }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([written])
})

test('however many logs a process has, one listener waits for its exit', () => {
  const openLog = () => createLogger({ logLevel: 'info', stack: 'sandbox', kind: 'api' })
  openLog()
  const before = process.listenerCount('exit')
  for (let count = 0; count < 20; count += 1) openLog()
  expect(process.listenerCount('exit')).toBe(before)
})

const OUTPUT = join(import.meta.dirname, '..', '..', 'src', 'telemetry', 'log-output.ts')

/** Its first output is `stdout`; on its second it prints how many lines it has dropped, every 50 ms. */
function spawnLogging(stdout: 'pipe' | number) {
  const script = `
    import { openLogOutput } from ${JSON.stringify(OUTPUT)}
    import { createLogger } from ${JSON.stringify(LOGGER)}
    let dropped = 0
    const output = openLogOutput((lines) => { dropped += lines })
    const logger = createLogger({ logLevel: 'info', stack: 'sandbox', kind: 'api' }, output)
    for (let n = 0; n < 20_000; n += 1) logger.info({ text: 'x'.repeat(200) }, 'line')
    setInterval(() => {
      console.error(dropped)
      logger.info('still here')
    }, 50)`
  return spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', stdout, 'pipe'],
  })
}

test('a process whose output nobody reads goes on, hears SIGTERM, and counts each line that it drops', async () => {
  const child = spawnLogging('pipe')
  const { stdout, stderr } = child
  if (!stdout || !stderr) throw new Error('no pipes')
  stdout.pause()
  const [first] = await once(stderr, 'data')
  expect(Number(String(first).split('\n')[0])).toBeGreaterThan(10_000)
  await once(stderr, 'data')
  let text = ''
  stdout.on('data', (bytes) => {
    text += bytes
  })
  stdout.resume()
  await waitFor(() => expect(text).toContain('log lines were dropped'))
  child.kill('SIGTERM')
  await once(child, 'exit')
  const lines = text.split('\n').filter((line) => line !== '')
  const logged = lines.map((line) => JSON.parse(line))
  const written = logged.filter(({ msg }) => msg === 'line').length
  const dropped = logged.filter(({ msg }) => msg === 'log lines were dropped')
  expect(dropped.reduce((sum, line) => sum + line.dropped, 0)).toBeGreaterThanOrEqual(
    20_000 - written,
  )
})

test('a process whose output is full goes on and counts each line', async () => {
  const full = openSync('/dev/full', 'w')
  const child = spawnLogging(full)
  const { stderr } = child
  if (!stderr) throw new Error('no pipe')
  let latest = 0
  stderr.on('data', (bytes) => {
    latest = Number(String(bytes).trim().split('\n').at(-1))
  })
  await waitFor(() => expect(latest).toBeGreaterThan(20_000))
  child.kill('SIGTERM')
  await once(child, 'exit')
  closeSync(full)
})
