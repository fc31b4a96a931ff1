import { Command, CommanderError } from 'commander'
import { addAuditCommand } from './audit.ts'
import { addBorrowerCommands } from './borrowers.ts'
import type { CliIo } from './cli-io.ts'
import { FaultFound } from './define-command.ts'
import { addDocumentCommands } from './documents.ts'
import { addEncryptionCommands } from './encryption.ts'
import { explainFailure, type Failure } from './explain-failure.ts'
import { addKeyCommands } from './keys.ts'
import { addLedgerCommands } from './ledger.ts'
import { addMarginCommands } from './margin.ts'
import { addMigrateCommand } from './migrate.ts'
import { formatJson } from './output.ts'
import { addResidencyCommands } from './residency.ts'
import { addTenantCommands } from './tenants.ts'

const ABOUT = `
Commands work on the database of DATABASE_URL, or else on that of the local stack which npm start
runs. For scripts: npm run --silent cli -- <command> --json. Failures exit with code 1.`

/**
 * Runs one command and returns the exit code: 0, or 1 for anything that failed, which is told in a
 * sentence, or under `--json` as `{error: {code, message}}`, on the error output.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    await assembleProgram(io).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    if (error instanceof FaultFound) return 1
    // A group without its command: the help has been printed.
    if (error instanceof CommanderError && error.code === 'commander.help') return 1
    tellFailure(explainFailure(error), argv.includes('--json'), io)
    return 1
  }
}

function assembleProgram(io: CliIo): Command {
  const program = new Command('npm run cli --')
    .description(
      "The lending service's command line: tenants, keys, documents, policy, reviews, books.",
    )
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: io.writeError,
      outputError: () => undefined, // told by tellFailure
    })
  addTenantCommands(program, io)
  addKeyCommands(program, io)
  addEncryptionCommands(program, io)
  addDocumentCommands(program, io)
  addResidencyCommands(program, io)
  addBorrowerCommands(program, io)
  addLedgerCommands(program, io)
  addAuditCommand(program, io)
  addMarginCommands(program, io)
  addMigrateCommand(program, io)
  return program
}

function tellFailure({ code, message }: Failure, asJson: boolean, io: CliIo): void {
  io.writeError(asJson ? formatJson({ error: { code, message } }) : `${message}\n`)
}
