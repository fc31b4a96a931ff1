import type { Command } from 'commander'
import { describeCommand } from '../../command-line/program.ts'
import { formatJson, type Report } from '../../command-line/text.ts'
import type { CliIo } from './cli-io.ts'
import { type Session, withSession } from './session.ts'

/** Options of every command. */
export type CommonOptions = { json?: true }

/** Options of every command on one tenant. */
export type TenantOptions = CommonOptions & { tenant: string }

/** Adds a command with `--json`. */
export function defineCommand(
  parent: Command,
  usage: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = describeCommand(parent.command(usage), description, examples)
  return command.option('--json', 'print JSON')
}

/** Runs a command on the database and prints its report. */
export async function runCommand(
  io: CliIo,
  options: CommonOptions,
  command: (session: Session) => Promise<Report>,
): Promise<void> {
  printReport(io, options, await withSession(io, command))
}

export function printReport(io: CliIo, options: CommonOptions, report: Report): void {
  io.writeOut(options.json ? formatJson(report.data) : `${report.text}\n`)
}
