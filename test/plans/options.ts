import { Command } from 'commander'

const ABOUT = `
Explains every statement of the queries files over a database of a crash day's size, and fails where one
reads more than it should. docs/plans.md tells the rules.`

export type PlanOptions = { only?: string; keep?: true; url?: string }

/** Prints help or what is wrong, and exits with 0 or 1. */
export const readOptions = (argv: readonly string[]): PlanOptions =>
  createCommand().parse(argv, { from: 'user' }).opts<PlanOptions>()

export function createCommand(): Command {
  return new Command('npm run test:plans --')
    .option(
      '--only <text>',
      'only functions whose name or file has the text in it; prints their plans',
    )
    .option('--keep', 'leaves the database running until Ctrl-C, and prints its address')
    .option('--url <url>', 'takes a database that such a run has left')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('--help lists the options; --only takes a part of a name.')
}
