import type { Command } from 'commander'
import { createProgram, runProgram } from '../command-line/program.ts'
import { formatJson } from '../command-line/text.ts'
import { addBorrowerCommands } from './commands/borrower.ts'
import { addCompletionCommand } from './commands/completion.ts'
import { addDeliveryCommands } from './commands/deliveries.ts'
import { addFacilityCommands } from './commands/facility.ts'
import { addReceiptCommands } from './commands/facility-evidence.ts'
import { addPortfolioCommands } from './commands/portfolio.ts'
import { addReplayCommand } from './commands/replay.ts'
import { addSandboxCommands } from './commands/sandbox.ts'
import { addTriggerCommand } from './commands/trigger.ts'
import { addWebhookCommands } from './commands/webhook-commands.ts'
import { explainFailure } from './explain-failure.ts'
import { addListenCommand } from './listen/listen.ts'
import { addStoryCommands } from './story/story.ts'
import type { SvcIo } from './svc-io.ts'
import { bad } from './terminal.ts'

const ABOUT = `
Credentials: .local/sandbox.json, which npm start writes; or SVC_BASE_URL, SVC_KEY_ID and
SVC_PRIVATE_KEY_FILE (or SVC_PRIVATE_KEY, the PEM itself); or options.
The output is JSON where no terminal reads it.
Exit codes: 0 done, 1 refused or failed, 2 misuse, 3 no answer.`

/** Runs one command and returns the exit code. Prints why one failed: a sentence, or `{error}`. */
export async function runSvc(argv: readonly string[], io: SvcIo): Promise<number> {
  return await runProgram(assembleProgram(io), argv, (error) => printFailure(error, argv, io))
}

function printFailure(error: unknown, argv: readonly string[], io: SvcIo): number {
  const { exitCode, message, ...rest } = explainFailure(error)
  const asJson = argv.includes('--json') || !(io.isTerminal || argv.includes('--text'))
  const page = rest.type === undefined ? '' : `See ${rest.type}\n`
  const shown = asJson ? formatJson({ error: { ...rest, message } }) : `${bad(message)}\n${page}`
  io.writeError(shown)
  return exitCode
}

function assembleProgram(io: SvcIo): Command {
  const program = createProgram(io, "The tenants' command line of the lending service.", ABOUT)
  program.version(io.version)
  addListenCommand(program, io)
  addTriggerCommand(program, io)
  addReplayCommand(program, io)
  addWebhookCommands(program, io)
  addDeliveryCommands(program, io)
  addBorrowerCommands(program, io)
  addPortfolioCommands(program, io)
  addFacilityCommands(program, io)
  addReceiptCommands(program, io)
  addSandboxCommands(program, io)
  addStoryCommands(program, io)
  addCompletionCommand(program, io)
  return program
}
