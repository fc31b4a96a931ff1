import { expect, test } from 'vitest'
import {
  all,
  figureAtMost,
  findMissed,
  p50AtMost,
  p99AtMost,
  perSecondAtLeast,
  ratioAtLeast,
  ratioAtMost,
} from './aims.ts'
import { formatTable, type Row } from './report.ts'

const row = (figures: Partial<Row>): Row => ({ name: 'it', unit: '/s', ours: 100, ...figures })

test('an aim is met at its bound, and missed beyond it', () => {
  for (const [aim, met, missed] of [
    [ratioAtLeast(0.75), { ratio: 0.75 }, { ratio: 0.749 }],
    [ratioAtMost(1.5), { ratio: 1.5 }, { ratio: 1.501 }],
    [perSecondAtLeast(100), { ours: 100 }, { ours: 99 }],
    [figureAtMost(10, 's'), { ours: 10 }, { ours: 10.1 }],
    [p50AtMost(25), { p50Ms: { ours: 25 } }, { p50Ms: { ours: 26, bare: 1 } }],
    [p99AtMost(250), { p99Ms: { ours: 250 } }, { p99Ms: { ours: 251, bare: 1 } }],
    [all(ratioAtLeast(0.15), perSecondAtLeast(100)), { ratio: 1 }, { ratio: 1, ours: 99 }],
  ] as const) {
    expect(findMissed(row({ ...met, aim }))).toEqual([])
    expect(findMissed(row({ ...missed, aim }))).toEqual([`${aim.text}: missed`])
  }
})

test('an aim is missed when its figure is missing or not a number', () => {
  expect(findMissed(row({ aim: ratioAtLeast(0) }))).toHaveLength(1)
  expect(findMissed(row({ aim: ratioAtMost(9), ratio: Number.NaN }))).toHaveLength(1)
  expect(findMissed(row({ aim: p99AtMost(9) }))).toHaveLength(1)
})

test('the table shows for each aim whether it was met', () => {
  const aim = ratioAtLeast(0.75)
  const table = formatTable([row({ aim, ratio: 0.8 }), row({ aim, ratio: 0.7 }), row({})])
  const cells = table.split('\n').map((line) => line.split('|').at(-2)?.trim())
  expect(cells.slice(2)).toEqual(['ratio ≥ 0.75: met', 'ratio ≥ 0.75: missed', ''])
})
