import { Command, InvalidArgumentError, Option } from 'commander'

const ABOUT = `
Does what an operator does, with real servers under signed traffic, and shows what it cost. docs/drills.md
tells the steps.

Example:
  $ npm run drills -- --only postgres-failover`

export type DrillOptions = { only: ReadonlySet<string>; write?: true }

/** Prints help or what is wrong, and exits with 0 or 1. */
export const readOptions = (argv: readonly string[], names: readonly string[]): DrillOptions =>
  createCommand(names).parse(argv, { from: 'user' }).opts<DrillOptions>()

export function createCommand(names: readonly string[]): Command {
  const only = new Option('--only <names>', `only these drills: ${names.join(', ')}`)
  return new Command('npm run drills --')
    .addOption(only.argParser(readNames).default(new Set(names), 'all'))
    .option('--write', 'writes the figures into docs/drills.md')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('--help lists the options; --only names drills.')

  function readNames(text: string): ReadonlySet<string> {
    const unknown = text.split(',').filter((name) => !names.includes(name))
    if (unknown.length === 0) return new Set(text.split(','))
    throw new InvalidArgumentError(
      `No drill is named '${unknown.join("', '")}'. There are ${names.join(', ')}.`,
    )
  }
}
