import type { Command } from 'commander'
import type { CliIo } from './cli-io.ts'
import { formatJson, type Report } from './output.ts'
import { type Session, withSession } from './session.ts'

/** What every command may be asked. */
export type CommonOptions = { json?: true }

/** What every command on one tenant is asked. */
export type TenantOptions = CommonOptions & { tenant: string }

/** A check has found what it looks for, and told it: all that is left is to exit with code 1. */
export class FaultFound extends Error {}

/** Adds a command with `--json` and examples, which are given without the program's name. */
export function defineCommand(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  const program = parent.parent ?? parent
  const lines = examples.map((example) => `  $ ${program.name()} ${example}`)
  return parent
    .command(usage)
    .description(description)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
    .option('--json', 'print JSON')
}

/** Runs a command on the database and prints its report. */
export async function runCommand(
  io: CliIo,
  options: CommonOptions,
  command: (session: Session) => Promise<Report>,
): Promise<void> {
  printReport(io, options, await withSession(io, command))
}

/** Prints a report as it was asked for: as JSON, or as text. */
export function printReport(io: CliIo, options: CommonOptions, report: Report): void {
  io.writeOut(options.json ? formatJson(report.data) : `${report.text}\n`)
}
