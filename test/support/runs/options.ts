import { Command, InvalidArgumentError, Option } from 'commander'
import { readWholeNumber } from '../../../src/cli/command/options.ts'

/** Prints help or what is wrong, and exits with 0 or 1. */
export const readOptions = <Options extends object>(command: Command): Options =>
  command.parse(process.argv.slice(2), { from: 'user' }).opts<Options>()

/** Their values, with those that are run where none is named. */
type Names = { what: string; all: readonly string[]; unlessNamed?: readonly string[] }

const open = (script: string, about: string) =>
  new Command(`npm run ${script} --`)
    .addHelpText('after', `\n${about}`)
    .showHelpAfterError('--help lists the options.')

/** `--only a,b`: a name that there is not is refused, and not left out. */
function only({ what, all, unlessNamed = [] }: Names): Option {
  const chosen = new Set(all.filter((name) => !unlessNamed.includes(name)))
  const except = unlessNamed.length > 0 ? `all but ${unlessNamed.join(' and ')}` : 'all'
  return new Option('--only <names>', `only these of ${all.join(', ')}`)
    .default(chosen, except)
    .argParser((text) => {
      const unknown = text.split(',').filter((name) => !all.includes(name))
      if (unknown.length === 0) return new Set(text.split(','))
      throw new InvalidArgumentError(
        `No ${what} is named '${unknown.join("', '")}'. There are ${all.join(', ')}.`,
      )
    })
}

export type BenchOptions = {
  only: ReadonlySet<string>
  quick?: true
  write?: true
  profile?: string
}

export const benchCommand = (names: readonly string[], unlessNamed: readonly string[]) =>
  open(
    'bench',
    `Measures the service, reports of each aim whether it was met, and fails where one was missed. Starts all it
needs, but for a native Redis. docs/performance.md describes what each measurement is.

Example:
  $ npm run bench -- --only live,requests --quick`,
  )
    .addOption(only({ what: 'measurement', all: names, unlessNamed }))
    .option('--quick', 'fewer rounds and smaller tables: a trial, which misses no aim')
    .option('--write', 'replaces their figures in docs/performance.md')
    .option('--profile <folder>', 'leaves CPU profiles of API and worker there')

export type DrillOptions = { only: ReadonlySet<string>; write?: true }

export const drillsCommand = (names: readonly string[]) =>
  open(
    'drills',
    `Does what an operator does, with real servers under signed traffic, and shows what it cost.
docs/drills.md describes the steps.

Example:
  $ npm run drills -- --only postgres-failover`,
  )
    .addOption(only({ what: 'drill', all: names }))
    .option('--write', 'writes the figures into docs/drills.md')

export type PlanOptions = { only?: string; keep?: true; url?: string }

export const plansCommand = () =>
  open(
    'test:plans',
    `Explains every statement of the queries files over a database of a crash day's size, and fails where one
reads more than it should. docs/plans.md has the rules.`,
  )
    .option('--only <text>', 'only functions with the text in name or file; prints their plans')
    .option('--keep', 'leaves the database running until Ctrl-C, and prints its address')
    .option('--url <url>', 'takes a database that such a run has left')

export type FaultOptions = {
  seed?: number[]
  kept?: true
  runs?: number
  minutes?: number
  long?: true
  scaled?: true
  citus?: true
  processes: number
  verbose?: true
  plan?: true
}

/** As those that a run chooses itself. */
const LARGEST_SEED = 999_999

export function faultsCommand() {
  const readSeed = readWholeNumber(0, LARGEST_SEED)
  const most = readWholeNumber(1, 100_000)
  return open(
    'test:faults',
    `Breaks real processes while tenants work, then holds the service to its promises. Without options: the
short run that every change must pass. docs/faults.md describes what is broken and what is checked.

Examples:
  $ npm run test:faults -- --seed 4711
  $ npm run test:faults -- --long --minutes 60`,
  )
    .option(
      '--seed <number>',
      'one run, as that seed has it; may be given more than once',
      (text, before: number[] = []) => [...before, readSeed(text)],
    )
    .option('--kept', 'the seeds that between them do every fault there is')
    .option('--runs <number>', 'so many runs with seeds of their own', most)
    .option('--minutes <number>', 'runs with seeds of their own until so much time is over', most)
    .option('--long', 'runs of over a minute, with pauses of up to half a minute')
    .option('--scaled', 'through PgBouncer, over a Redis Cluster of three masters')
    .option('--citus', 'on the Citus cluster of CITUS_URL')
    .option(
      '--processes <number>',
      'with each API and each worker as so many processes of one command',
      readWholeNumber(1, 8),
      1,
    )
    .option('--verbose', 'prints every kind of answer with its count')
    .option('--plan', 'only prints what would be done')
}

export type HistoryOptions = { seeds: { first: number; last: number } }

export const historiesCommand = () =>
  open(
    'test:histories',
    `Plays random histories of loans and of margin, and compares every number with the exact model.

Example, one again:
  $ npm run test:histories -- --seeds 4711`,
  ).addOption(
    new Option('--seeds <first-last>', 'the histories of these seeds')
      .default({ first: 1, last: 500 }, '1-500')
      .argParser((text) => {
        const [, first = '', last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? []
        const isRange = first !== '' && Number(first) <= Number(last)
        if (isRange) return { first: Number(first), last: Number(last) }
        throw new InvalidArgumentError('A seed or a range of them, as in 1-500.')
      }),
  )
