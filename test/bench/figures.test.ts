import { expect, test } from 'vitest'
import { mergeFigures } from './figures.ts'

const table = (...lines: readonly string[]) => ['|  | ours |', '|--|------|', ...lines].join('\n')
const merged = (...lines: readonly string[]) =>
  ['|  | ours | measured |', '|--|------|---|', ...lines].join('\n')

test('a run replaces the figures of what it measured, and leaves those of other runs', () => {
  const earlier = merged(
    '| (requests) reads | 1 | 20 November |',
    '| (live) arrival | 2 | 20 November |',
    '| (live) CPU | 3 | 20 November |',
  )
  const run = table('| (live) arrival | 5 |')
  expect(mergeFigures(`\n\nOn one core.\n\n${earlier}\n\n`, run, '26 November')).toBe(
    merged('| (live) arrival | 5 | 26 November |', '| (requests) reads | 1 | 20 November |'),
  )
})

test('a page without figures has those of the run', () => {
  expect(mergeFigures('\n\n', table('| (requests) reads | 1 |'), 'today')).toBe(
    merged('| (requests) reads | 1 | today |'),
  )
})
