import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const LOGGER = join(import.meta.dirname, '..', '..', 'src', 'telemetry', 'logger.ts')

/** Runs `code`, which has a `logger`, in a process of its own; returns the messages of its lines. */
async function runLogging(code: string): Promise<string[]> {
  const script = `
    import { createLogger } from ${JSON.stringify(LOGGER)}
    const logger = createLogger({ logLevel: 'info', stack: 'sandbox' })
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
    logger.error('the last')
    ${ending}`)
  const expected = [...Array.from({ length: 500 }, (_, n) => `line ${n}`), 'the last']
  expect(messages).toEqual(expected)
})
