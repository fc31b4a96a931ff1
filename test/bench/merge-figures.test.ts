import { expect, test } from 'vitest'
import { mergeFigures } from './merge-figures.ts'

const section = (day: string, ...lines: readonly string[]) =>
  [`Measured on ${day}.`, ['|  | ours |', '|--|------|', ...lines].join('\n')].join('\n\n')

const earlier = [
  section('2026-11-20', '| (a) reads | 1 |', '| (d) arrival | 2 |', '| (d) without Redis | 3 |'),
  section('2026-11-19', '| (live) eight endpoints | 4 |'),
].join('\n\n')

test('a run replaces the figures of what it measured, and leaves those of other runs', () => {
  const run = section('2026-11-26', '| (d) arrival | 5 |')
  expect(mergeFigures(`\n\n${earlier}\n\n`, run)).toBe(
    [
      run,
      section('2026-11-20', '| (a) reads | 1 |'),
      section('2026-11-19', '| (live) eight endpoints | 4 |'),
    ].join('\n\n'),
  )
})

test('plans go with the run of which nothing is left, and where the new run has them too', () => {
  const plan = (text: string) => `\n\nPlan of the claim:\n\n\`\`\`\n${text}\n\`\`\``
  const run = section('2026-11-26', '| (e) replay | 2 |')
  const other = section('2026-11-20', '| (a) reads | 1 |', '| (e) replay | 1 |')
  const otherLeft = section('2026-11-20', '| (a) reads | 1 |')
  expect(mergeFigures(section('2026-11-20', '| (e) replay | 1 |') + plan('Sort'), run)).toBe(run)
  expect(mergeFigures(other + plan('Sort\n  Scan'), run)).toBe(
    `${run}\n\n${otherLeft}${plan('Sort\n  Scan')}`,
  )
  expect(mergeFigures(other + plan('Sort'), run + plan('Scan'))).toBe(
    `${run}${plan('Scan')}\n\n${otherLeft}`,
  )
})

test('a page without figures has those of the run', () => {
  const run = section('2026-11-26', '| (a) reads | 1 |')
  expect(mergeFigures('\n\n', run)).toBe(run)
})
