import type { Command } from 'commander'
import { expect, test } from 'vitest'
import {
  benchCommand,
  drillsCommand,
  faultsCommand,
  historiesCommand,
  plansCommand,
} from './options.ts'

/** The options that a command reads, or what it prints instead. */
function read(command: Command, ...argv: readonly string[]) {
  const printed: string[] = []
  command.exitOverride().configureOutput({ writeErr: (text) => printed.push(text) })
  try {
    command.parse(argv, { from: 'user' })
  } catch {
    return { refusal: printed.join('') }
  }
  return command.opts()
}

const bench = () => benchCommand(['live', 'requests', 'soak'], ['soak'])
const drills = () => drillsCommand(['backup', 'kills'])

test('without options all is done, but what is done only where it is named', () => {
  expect(read(drills())).toEqual({ only: new Set(['backup', 'kills']) })
  expect(read(bench())).toEqual({ only: new Set(['live', 'requests']) })
  expect(read(bench(), '--only', 'live,soak', '--quick')).toEqual({
    only: new Set(['live', 'soak']),
    quick: true,
  })
  expect(read(plansCommand(), '--only', 'claimDue', '--keep')).toEqual({
    only: 'claimDue',
    keep: true,
  })
})

test('a name that there is not is refused, with those that there are', () => {
  expect(read(bench(), '--only', 'live,z')).toEqual({
    refusal: expect.stringContaining(
      "No measurement is named 'z'. There are live, requests, soak.",
    ),
  })
  expect(read(drills(), '--only', 'backup,kill')).toEqual({
    refusal: expect.stringContaining("No drill is named 'kill'. There are backup, kills."),
  })
})

test('several seeds may be given, and every process is one if nothing else is said', () => {
  expect(read(faultsCommand(), '--seed', '7', '--seed', '92', '--long')).toEqual({
    ...{ seed: [7, 92], long: true, processes: 1 },
  })
})

test.each([
  ['--seed', 'seven'],
  ['--runs', '0'],
  ['--runs', 'all'],
  ['--minutes', '1.5'],
  ['--processes', '9'],
])('%s %s is refused, and is not a run of nothing', (...argv) => {
  const refusal = expect.stringContaining('Expected a whole number from')
  expect(read(faultsCommand(), ...argv)).toEqual({ refusal })
})

test('a value without its option is refused, and not left out', () => {
  for (const command of [bench(), drills(), plansCommand(), faultsCommand()]) {
    const refusal = expect.stringContaining('--help lists the options')
    expect(read(command, 'live')).toEqual({ refusal })
  }
})

test('histories are named by one seed or by a range', () => {
  expect(read(historiesCommand())).toEqual({ seeds: { first: 1, last: 500 } })
  expect(read(historiesCommand(), '--seeds', '7')).toEqual({ seeds: { first: 7, last: 7 } })
  expect(read(historiesCommand(), '--seeds', '8-99')).toEqual({ seeds: { first: 8, last: 99 } })
  for (const wrong of ['9-8', '1-', 'x', '-1']) {
    expect(read(historiesCommand(), `--seeds=${wrong}`)).toEqual({
      refusal: expect.stringContaining('A seed or a range of them'),
    })
  }
})
