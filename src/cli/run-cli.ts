import { Command, CommanderError } from 'commander'
import { addAuditCommand } from './audit.ts'
import type { CliIo } from './cli-io.ts'
import { FaultFound } from './define-command.ts'
import { addEncryptionCommands } from './encryption.ts'
import { explainFailure, type Failure } from './explain-failure.ts'
import { addKeyCommands } from './keys.ts'
import { addLedgerCommands } from './ledger.ts'
import { addMarginCommands } from './margin/margin.ts'
import { addMigrateCommand } from './migrate.ts'
import { addBorrowerCommands } from './onboarding/borrowers.ts'
import { addDocumentCommands } from './onboarding/documents.ts'
import { addResidencyCommands } from './onboarding/residency.ts'
import { formatJson } from './output.ts'
import { addRefundCommands } from './refunds.ts'
import { addTenantCommands } from './tenants.ts'
import { addWorkCommands } from './work.ts'

const ABOUT = `
Commands work on the database of DATABASE_URL, or else on that of the local stack which npm start
runs. For scripts: <command> --json, under npm with run --silent. Exit codes: 0 done, 1 refused or not well,
2 misuse.`

const EXIT = { done: 0, refused: 1, misuse: 2 } as const

/**
 * Runs one command and returns the exit code: 0, 2 for a command line that cannot be understood, or 1
 * for anything else that failed. What failed is told in a sentence, or under `--json` as
 * `{error: {code, message}}`, on the error output.
 */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    await assembleProgram(io).parseAsync(argv, { from: 'user' })
    return EXIT.done
  } catch (error) {
    const isMisuse = error instanceof CommanderError
    if (isMisuse && error.exitCode === 0) return EXIT.done
    if (error instanceof FaultFound) return EXIT.refused
    // A group without its command: the help has been printed.
    if (isMisuse && error.code === 'commander.help') return EXIT.misuse
    printFailure(explainFailure(error), argv.includes('--json'), io)
    return isMisuse ? EXIT.misuse : EXIT.refused
  }
}

function assembleProgram(io: CliIo): Command {
  const program = new Command(io.programName)
    .description(
      "The lending service's command line: tenants, keys, documents, policy, reviews, refunds, books.",
    )
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({
      writeOut: io.writeOut,
      writeErr: io.writeError,
      outputError: () => undefined, // told by printFailure
    })
  addTenantCommands(program, io)
  addKeyCommands(program, io)
  addEncryptionCommands(program, io)
  addDocumentCommands(program, io)
  addResidencyCommands(program, io)
  addBorrowerCommands(program, io)
  addRefundCommands(program, io)
  addLedgerCommands(program, io)
  addAuditCommand(program, io)
  addWorkCommands(program, io)
  addMarginCommands(program, io)
  addMigrateCommand(program, io)
  return program
}

function printFailure({ code, message }: Failure, asJson: boolean, io: CliIo): void {
  io.writeError(asJson ? formatJson({ error: { code, message } }) : `${message}\n`)
}
