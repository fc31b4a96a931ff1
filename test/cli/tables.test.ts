import { expect, test } from 'vitest'
import { formatTable } from '../../src/command-line/text.ts'

const ROWS = [
  ['id', 'amount', 'change', 'note'],
  ['fac_01k9x4m2q8e0tb7f2v5j6h8n3c', '1,234.50 USD', '-3 %', 'one that is longer than the others'],
  ['fac_01k9x4m2q8e0tb7f2v5j6h8n3d', '7.25 USD', '-', ''],
]
const asTable = (rows: readonly (readonly string[])[], columns?: number) =>
  formatTable(rows, undefined, columns).split('\n')

test('numbers stand at the right of their column, below its name, and texts at the left', () => {
  expect(asTable(ROWS)).toEqual([
    'id                                    amount  change  note',
    'fac_01k9x4m2q8e0tb7f2v5j6h8n3c  1,234.50 USD    -3 %  one that is longer than the others',
    'fac_01k9x4m2q8e0tb7f2v5j6h8n3d      7.25 USD       -',
  ])
})

test('a column of dates, versions or dashes is no column of numbers', () => {
  const [, row] = asTable([
    ['month', 'version', 'none', 'end'],
    ['2026-10', '1.0.0', '-', 'x'],
  ])
  expect(row).toBe('2026-10  1.0.0    -     x')
})

test('a table fits into the terminal: the widest text is cut, and an id can still be copied', () => {
  expect(asTable(ROWS, 70)).toEqual([
    'id                                    amount  change  note',
    'fac_01k9x4m2q8e0tb7f2v5j6h8n3c  1,234.50 USD    -3 %  one that is lon…',
    'fac_01k9x4m2q8e0tb7f2v5j6h8n3d      7.25 USD       -',
  ])
  const narrow = asTable(ROWS, 40)
  expect(Math.max(...narrow.map((line) => line.length))).toBeLessThanOrEqual(40)
  expect(narrow[1]).toMatch(/^fac_01k9x\w*… /)
})

test('a table is whole where no terminal reads it', () => {
  expect(process.stdout.columns).toBeUndefined()
  expect(asTable([['text'], ['x'.repeat(500)]])[1]).toBe('x'.repeat(500))
})
