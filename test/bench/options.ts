import { Command, InvalidArgumentError, Option } from 'commander'

const EACH = [...'abcdefghiklmnopqrstu', 'live', 'crash']

/** Those that take very long, or need more than this machine. */
const ONLY_WHERE_NAMED = ['j', 'curve', 'citus']

const ABOUT = `
Measures the service against floors that do the same irreducible work and nothing else, says of each aim
whether it was met, and fails where one was missed. Starts all it needs, but for a native Redis.
docs/measurements.md tells what each measurement is. Only where they are named: j, a soak of ten minutes;
curve, what things cost as the service grows; citus, on the cluster of CITUS_URL.

Examples:
  $ npm run bench -- --only live,d
  $ npm run bench -- --only a,b --quick
`

type Options = {
  only: ReadonlySet<string>
  quick?: boolean
  write?: boolean
  profile?: string
}

/** Prints help or what is wrong, and exits with 0 or 1. */
export const readOptions = (argv: readonly string[]): Options =>
  createCommand().parse(argv, { from: 'user' }).opts<Options>()

export function createCommand(): Command {
  const only = new Option('--only <names>', 'only these measurements')
  return new Command('npm run bench --')
    .addOption(only.argParser(readNames).default(new Set(EACH), 'all but j, curve and citus'))
    .option('--quick', 'fewer rounds and smaller tables: a trial, no figures to quote')
    .option('--write', 'replaces their figures in docs/figures.md, or docs/cost-curve.md')
    .option(
      '--profile <folder>',
      'leaves CPU profiles of the API there, prints where its time went',
    )
    .addHelpText('after', ABOUT)
    .showHelpAfterError('--help lists the options; --only names measurements.')
}

function readNames(text: string): ReadonlySet<string> {
  const known = [...EACH, ...ONLY_WHERE_NAMED]
  const names = text.split(',')
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new InvalidArgumentError(
      `No measurement is named '${unknown.join("', '")}'. There are ${known.join(', ')}.`,
    )
  }
  if (names.includes('curve') && names.length > 1) {
    throw new InvalidArgumentError('curve is measured alone, on stores and a page of its own.')
  }
  return new Set(names)
}
