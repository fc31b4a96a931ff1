// npm start: the whole sandbox stack on this machine, until Ctrl-C.
import { once } from 'node:events'
import { relative } from 'node:path'
import { LocalFailure } from './local/local-failure.ts'
import type { LocalSettings } from './local/settings.ts'
import type { PageLinks } from './local/stack.ts'

class StopRequested extends Error {}

const SHARED_NOTE = `
  Other machines can reach this stack, so webhooks do not reach this machine, nor does the
  demo. To allow that nonetheless, set WEBHOOK_ALLOW_CIDRS=127.0.0.0/8.
`

const USAGE = `npm start runs the sandbox stack until Ctrl-C. It takes no arguments. These variables change it:

  PORT           of the API, by default 8080
  HOST           its address, by default 127.0.0.1
  LOCAL_DIR      folder for data, credentials and logs, by default .local
  DATABASE_URL   a PostgreSQL of yours, in place of its own
  REDIS_URL      a Redis of yours, in place of its own

docs/first-steps.md has more.`

const halt = new AbortController()
// The terminal and npm may both send it; only the first counts.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => halt.abort(new StopRequested()))
}
// The reader may stop reading (`npm start | head`); the stack runs on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
const [argument] = process.argv.slice(2)
if (argument === undefined) process.exitCode = await runUntilHalted()
else if (argument === '--help' || argument === '-h') console.log(USAGE)
else {
  console.error(`npm start takes no arguments, and was given ${argument}: see npm start -- --help.`)
  process.exitCode = 2
}

/** Returns the exit code. */
async function runUntilHalted(): Promise<number> {
  const startedAt = performance.now()
  const cleanup = new AsyncDisposableStack()
  let end: unknown
  try {
    // Only here, because loading takes longest: arguments are answered without it.
    const { readSettings } = await import('./local/settings.ts')
    const settings = readSettings(process.env)
    console.log('Starting the lending service, sandbox stack\n')
    const { startStack } = await import('./local/stack.ts')
    const links = await startStack({ settings, cleanup, halt, reportStep: printStep })
    printBanner(settings, (performance.now() - startedAt) / 1000, links)
    if (!halt.signal.aborted) await once(halt.signal, 'abort')
    end = halt.signal.reason
  } catch (error) {
    // A process that ended by itself explains the failures after it.
    end = halt.signal.reason ?? error
  }
  if (end instanceof StopRequested) console.log('\nStopping…')
  await cleanup.disposeAsync()
  if (end instanceof StopRequested) {
    console.log('Stopped. The data is kept.')
    return 0
  }
  console.error(end instanceof LocalFailure ? `\n${end.message}` : end)
  return 1
}

function printStep(step: string, detail: string): void {
  console.log(`  ${step.padEnd(12)} ${detail}`)
}

function printBanner(
  { baseUrl, folder, webhookRanges }: LocalSettings,
  seconds: number,
  links: PageLinks,
): void {
  const shown = relative('', folder) || '.'
  const setting = shown === '.local' ? '' : `LOCAL_DIR=${shown} `
  console.log(`
Ready in ${seconds.toFixed(1)} s.

  Base URL     ${baseUrl}
  Reference    ${baseUrl}/docs
  Credentials  ${shown}/sandbox.json
  Logs         ${shown}/logs

  Try next, in another terminal:  ${setting}npm run demo
  Stop with Ctrl-C; the data stays in ${shown}.

  Console, this link opens once (another: ${setting}npm run console):
  ${links.console}

  Desk of the lender, this link opens once (another: ${setting}npm run desk):
  ${links.desk}
${webhookRanges === '' ? SHARED_NOTE : ''}`)
}
