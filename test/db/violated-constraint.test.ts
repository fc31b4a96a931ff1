import { expect, test } from 'vitest'
import { sqlState, violatedConstraint } from '../../src/db/errors.ts'

const withCode = (message: string, rest: object) => Object.assign(new Error(message), rest)

test.each([
  ['duplicate key value violates unique constraint "facilities_one_live_102279"', '23505'],
  [
    'new row for relation "facilities_102279" violates check constraint "facilities_one_live_102279"',
    '23514',
  ],
  [
    'doppelter Schlüsselwert verletzt Unique-Constraint »x«, "facilities_one_live_1022791"',
    '23505',
  ],
])('the constraint of a shard is found in the message: %s', (message, code) => {
  expect(violatedConstraint(withCode(message, { code }))).toBe('facilities_one_live')
})

test('the constraint that PostgreSQL names is taken as it is', () => {
  const named = { code: '23505', constraint: 'facilities_one_live' }
  expect(violatedConstraint(withCode('violates "other_102279"', named))).toBe('facilities_one_live')
})

test.each([
  withCode('relation "facilities_102279" does not exist', { code: '42P01' }),
  withCode('duplicate key value violates unique constraint "things_pkey"', { code: '23505' }),
  'violates unique constraint "facilities_one_live_102279"',
  undefined,
])('what names no constraint of a shard violates none', (error) => {
  expect(violatedConstraint(error)).toBeUndefined()
})

test.each([
  ['duplicate key value violates unique constraint "things_pkey_102279"', '23505'],
  [
    'insert or update on table "draws_102279" violates foreign key constraint "draws_fkey_102279"',
    '23503',
  ],
  ['deadlock detected', '40P01'],
  ['canceling statement due to lock timeout', '55P03'],
  ['canceling statement due to statement timeout', '57014'],
  ['invalid byte sequence for encoding "UTF8"', 'XX000'],
])(
  'a row that Citus copies to a shard fails with the state that the shard reported: %s',
  (message, state) => {
    const copied = { code: 'XX000', routine: 'ReportCopyError' }
    expect(sqlState(withCode(message, copied))).toBe(state)
    expect(sqlState(withCode(message, { code: 'XX000' }))).toBe('XX000')
  },
)
