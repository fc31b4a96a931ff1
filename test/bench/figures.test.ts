import { expect, test } from 'vitest'
import { mergeFigures } from './figures.ts'

const section = (day: string, ...lines: readonly string[]) =>
  [`Measured on ${day}.`, ['|  | ours |', '|--|------|', ...lines].join('\n')].join('\n\n')

test('a run replaces the figures of what it measured, and leaves those of other runs', () => {
  const reads = '| (requests) reads | 1 |'
  const earlier = [
    section('2026-11-20', reads, '| (live) arrival | 2 |', '| (live) CPU | 3 |'),
    section('2026-11-19', '| (live) eight endpoints | 4 |'),
  ].join('\n\n')
  const run = section('2026-11-26', '| (live) arrival | 5 |')
  expect(mergeFigures(`\n\n${earlier}\n\n`, run)).toBe(
    [run, section('2026-11-20', reads)].join('\n\n'),
  )
})

test('a page without figures has those of the run', () => {
  const run = section('2026-11-26', '| (requests) reads | 1 |')
  expect(mergeFigures('\n\n', run)).toBe(run)
})
