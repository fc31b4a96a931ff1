import { Command } from 'commander'
import { readWholeNumber } from '../../src/cli/command/options.ts'

/** As those that a run chooses itself. */
const LARGEST_SEED = 999_999

/** What a machine can start within a minute. */
const MOST_PROCESSES = 8

const MOST_RUNS = 100_000
const MOST_MINUTES = 100_000

const ABOUT = `
Breaks real processes while tenants work, then holds the service to its promises. Without options: the
short run that every change must pass. docs/faults.md tells what is broken and what is checked.

Examples:
  $ npm run test:faults -- --seed 4711
  $ npm run test:faults -- --long --minutes 60`

export type FaultOptions = {
  seed?: number[]
  runs?: number
  minutes?: number
  long?: true
  scaled?: true
  citus?: true
  processes: number
  verbose?: true
  plan?: true
}

/** Prints help or what is wrong, and exits with 0 or 1. */
export const readOptions = (argv: readonly string[]): FaultOptions =>
  createCommand().parse(argv, { from: 'user' }).opts<FaultOptions>()

export function createCommand(): Command {
  const readSeed = readWholeNumber(0, LARGEST_SEED)
  return new Command('npm run test:faults --')
    .option(
      '--seed <number>',
      'one run, as that seed has it; may be given more than once',
      (text, before: number[] = []) => [...before, readSeed(text)],
    )
    .option(
      '--runs <number>',
      'so many runs with seeds of their own',
      readWholeNumber(1, MOST_RUNS),
    )
    .option(
      '--minutes <number>',
      'runs with seeds of their own until so much time is over',
      readWholeNumber(1, MOST_MINUTES),
    )
    .option('--long', 'runs of over a minute, with pauses of up to half a minute')
    .option('--scaled', 'through PgBouncer, over a Redis Cluster of three masters')
    .option('--citus', 'on the Citus cluster of CITUS_URL')
    .option(
      '--processes <number>',
      'with each API and each worker as so many processes of one command',
      readWholeNumber(1, MOST_PROCESSES),
      1,
    )
    .option('--verbose', 'prints every kind of answer with its count')
    .option('--plan', 'only prints what would be done')
    .addHelpText('after', ABOUT)
    .showHelpAfterError('--help lists the options.')
}
