import { expect, test } from 'vitest'
import { formatAsOf, parseAsOf } from '../../../src/domain/collateral/as-of.ts'

const MICROS = BigInt(Date.UTC(2026, 10, 20, 12)) * 1_000n

test.each([
  ['2026-11-20T12:00:00Z', MICROS],
  ['2026-11-20T12:00:00.5Z', MICROS + 500_000n],
  ['2026-11-20T12:00:00.123Z', MICROS + 123_000n],
  ['2026-11-20T12:00:00.1234Z', MICROS + 123_400n],
  ['2026-11-20T12:00:00.000001Z', MICROS + 1n],
  ['2026-11-20T12:00:00.999999Z', MICROS + 999_999n],
])('the as_of %s is stored to the microsecond', (text, expected) => {
  expect(parseAsOf(text)).toBe(expected)
})

test.each([
  '2026-11-20T12:00:00.0000001Z',
  '2026-11-20T12:00:00+00:00',
  '2026-02-30T12:00:00Z',
  'yesterday',
  '',
])('"%s" is no as_of', (text) => {
  expect(parseAsOf(text)).toBeUndefined()
})

test('an as_of is printed to the millisecond, rounded down', () => {
  expect(formatAsOf(MICROS + 999_999n)).toBe('2026-11-20T12:00:00.999Z')
  expect(formatAsOf(-1n)).toBe('1969-12-31T23:59:59.999Z')
})
