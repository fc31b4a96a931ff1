import { expect, test } from 'vitest'
import { parseTimestamp } from '../../src/core/time.ts'

test.each([
  ['2026-11-20T12:00:00Z', '2026-11-20T12:00:00.000Z'],
  ['2026-11-20T12:00:00.5Z', '2026-11-20T12:00:00.500Z'],
  ['2026-11-20T12:00:00.999999Z', '2026-11-20T12:00:00.999Z'],
  ['2028-02-29T23:59:59Z', '2028-02-29T23:59:59.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
])('the timestamp %s is read to the millisecond, and never rounded up', (text, printed) => {
  expect(parseTimestamp(text)?.toISOString()).toBe(printed)
})

test.each([
  '2026-02-29T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T23:59:60Z',
  '2026-11-20T12:00:00',
  '2026-11-20T12:00:00+00:00',
  '2026-11-20T12:00:00.1234567Z',
  '2026-11-20T12:00:00.Z',
  '2026-11-20 12:00:00Z',
  '2026-11-20T12:00:00z',
  '2026-11-20',
  ' 2026-11-20T12:00:00Z',
  '2026-11-20T12:00:00Z\n',
  '+002026-11-20T12:00:00Z',
  '1795000000',
  '',
])('%j is no timestamp', (text) => {
  expect(parseTimestamp(text)).toBeUndefined()
})
