import { expect, test } from 'vitest'
import { formatAnswer, formatItems, toMembers } from '../../src/cli/command/output.ts'
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

test('members have the names of the interface, and what a provider answered stays as it is', () => {
  const answer = { feeCents: 1.5, asset: 'USD', units: '7' }
  const at = new Date('2026-11-20T12:00:00Z')
  const held = { tenantId: 'ten_1', debtCents: 150n, ratePpm: 95_000n, none: undefined }
  const amount = { asset: 'USD', units: 500n }
  expect(toMembers({ ...held, createdAt: at, delivered: amount, answer })).toEqual({
    ...{ tenant_id: 'ten_1', debt_usd: '1.50', rate: '0.095', created_at: at, answer },
    delivered: { amount: '5.00', asset: 'USD' },
  })
})

test('an answer is shown as lines, with its lists as tables behind them, of which the first rows', () => {
  const orders = Array.from({ length: 21 }, (_, at) => ({ number: at + 1, order_id: `o${at}` }))
  const shown = formatAnswer({ is_open: true, sold: { gross_usd: '5.00' }, orders, note: null })
  expect(shown.split('\n').slice(0, 7)).toEqual([
    'is open         yes',
    'sold gross usd  5.00',
    'note            -',
    '',
    'ORDERS',
    'NUMBER  ORDER',
    '     1  o0',
  ])
  expect(shown).toMatch(/\n {4}20 {2}o19\n1 more: --json prints all\.$/)
  expect(formatItems([{ warning: { tier: 2 } }, {}], ['warning.tier'])).toBe(
    'WARNING TIER\n           2\n           -',
  )
})
