import { describe, expect, test } from 'vitest'
import { checkPlan, type PlanNode } from './check-plan.ts'
import { subjectsOf } from './check-queries.ts'
import { queriesFile } from './queries-file.ts'
import { readPlanNotes } from './source-notes.ts'

const sizes = new Map([
  ['facilities', 200_000],
  ['tenants', 200],
  ['events', 1_000_000],
  ['events_2026_11', 1_000_000],
  ['events_2026_12', 0],
])
const node = (more: Partial<PlanNode>): PlanNode => ({
  'Node Type': 'Index Scan',
  'Relation Name': 'facilities',
  'Actual Rows': 1,
  'Actual Loops': 1,
  ...more,
})
const problemsOf = (plan: PlanNode, asked = 0) =>
  checkPlan(plan, { sizes, asked }).map(({ problem }) => problem)

describe('what is found in a plan', () => {
  test('the plan check finds a sequential scan of a large table, even one that returns one row', () => {
    expect(problemsOf(node({ 'Node Type': 'Seq Scan' }))).toEqual([
      'reads facilities from beginning to end',
    ])
    expect(problemsOf(node({ 'Node Type': 'Seq Scan', 'Relation Name': 'tenants' }))).toEqual([])
  })

  test('the plan check counts a partition by its own size, its rows by the whole table', () => {
    const scan = (name: string) => node({ 'Node Type': 'Seq Scan', 'Relation Name': name })
    expect(problemsOf(scan('events_2026_12'))).toEqual([])
    expect(problemsOf(scan('events_2026_11'))).toHaveLength(1)
    const filtered = node({ 'Relation Name': 'events_2026_11', 'Rows Removed by Filter': 999 })
    expect(problemsOf(filtered)).toEqual(['reads 1000 rows of events for 1'])
  })

  test('the plan check allows ten rows read for each that is returned, and no more', () => {
    const read = (rows: number, removed: number) =>
      problemsOf(node({ 'Actual Rows': rows, 'Rows Removed by Filter': removed }))
    expect(read(20, 180)).toEqual([])
    expect(read(20, 181)).toEqual(['reads 201 rows of facilities for 20'])
  })

  test('the plan check allows a hundred rows read for one, and no more', () => {
    expect(problemsOf(node({ 'Rows Removed by Filter': 99 }))).toEqual([])
    expect(problemsOf(node({ 'Rows Removed by Filter': 100 }))).toEqual([
      'reads 101 rows of facilities for 1',
    ])
  })

  test('the plan check counts rows once a loop, and those of one table together', () => {
    const inner = node({ 'Actual Loops': 60 })
    const limit = { 'Node Type': 'Limit', 'Actual Rows': 1, 'Actual Loops': 1 }
    expect(problemsOf({ ...limit, Plans: [inner] })).toEqual([])
    expect(problemsOf({ ...limit, Plans: [inner, inner] })).toEqual([
      'reads 120 rows of facilities for 1',
    ])
  })

  test('the plan check counts rows of a given list as wanted, and rows that are changed too', () => {
    const many = node({ 'Actual Rows': 500 })
    const count = { 'Node Type': 'Aggregate', 'Actual Rows': 1, 'Actual Loops': 1, Plans: [many] }
    expect(problemsOf(count)).toHaveLength(1)
    expect(problemsOf(count, 50)).toEqual([])
    const update = node({ 'Node Type': 'ModifyTable', 'Actual Rows': 0, Plans: [many] })
    expect(problemsOf(update)).toEqual([])
  })
})

describe('notes beside a query', () => {
  const source = `
/** The first. @plan reads events: all are wanted. */
export async function first() {}

/** The second. */
export async function second() {
  // @plan reads facilities, portfolios: a round values all.
  // @plan reads tenants: so it is.
}
/** @plan reads events */
export const third = 1
`

  test('a note belongs to the query function that it is above or within', () => {
    const notes = readPlanNotes(source)
    expect(notes.get('first')).toEqual([{ tables: ['events'], reason: 'all are wanted. */' }])
    expect(notes.get('second')?.map(({ tables }) => tables)).toEqual([
      ['facilities', 'portfolios'],
      ['tenants'],
    ])
  })

  test('a note without a reason does not count', () => {
    expect(readPlanNotes(source).get('third')).toEqual([])
  })
})

test('a query function without a call fails the run', () => {
  const module = { selectSome: async () => undefined, helper: () => 1 }
  const file = { ...queriesFile('some-queries.ts', module, { selectSome: async () => [] }) }
  expect(subjectsOf(file, new Map()).missing).toEqual([])
  expect(subjectsOf({ ...file, calls: {} }, new Map()).missing).toEqual([
    'selectSome is called nowhere in test/plans/calls/',
  ])
})
