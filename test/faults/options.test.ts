import { expect, test } from 'vitest'
import { readWith } from '../support/process/command-options.ts'
import { createCommand } from './options.ts'

const read = (argv: readonly string[]) => readWith(createCommand(), argv)

test('several seeds may be given, and every process is one if nothing else is said', () => {
  expect(read(['--seed', '7', '--seed', '92', '--long'])).toEqual({
    seed: [7, 92],
    long: true,
    processes: 1,
  })
})

test.each([
  ['--seed', 'seven'],
  ['--runs', '0'],
  ['--runs', 'all'],
  ['--minutes', '1.5'],
  ['--processes', '9'],
])('%s %s is refused, and is not a run of nothing', (...argv) => {
  expect(read(argv)).toEqual({ refusal: expect.stringContaining('Expected a whole number from') })
})

test('a seed without its option is refused, and not left out', () => {
  expect(read(['4711'])).toEqual({ refusal: expect.stringContaining('--help lists the options') })
})
