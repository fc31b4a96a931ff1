// The operator's command line. `npm run cli -- --help` lists what it can do.
import { once } from 'node:events'
import { userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { runCli } from './cli/command/run-cli.ts'
import {
  isNpmScript,
  loadProcessDatabaseConfig,
  loadProcessVendorSecrets,
} from './config/process-environment.ts'
import { systemClock } from './core/time.ts'
import { choosePrices } from './process/choose-prices.ts'

// The reader may stop reading (`… | head`); the command still runs to its end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

// The image has no npm script.
const programName = isNpmScript('cli') ? 'npm run cli --' : 'node src/cli.ts'

/** A container's user may have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** The end of the input is an answer too. */
async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ended = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(question), ended])
  terminal.close()
  return answer
}

process.exitCode = await runCli(process.argv.slice(2), {
  programName,
  writeOut: (output) => process.stdout.write(output),
  writeError: (output) => process.stderr.write(output),
  showsProgress: process.stderr.isTTY === true,
  readInput: () => text(process.stdin),
  loadConfig: loadProcessDatabaseConfig,
  loadVendorSecrets: loadProcessVendorSecrets,
  choosePrices,
  systemUser,
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : undefined,
  clock: systemClock,
})
