import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRetryAfter } from '../../src/providers/webhooks/retry-after.ts'

const NOW = new Date('2026-11-22T10:00:00.000Z')

test('a Retry-After in whole seconds is read exactly, up to a thousand million', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (seconds) => {
      expect(parseRetryAfter(String(seconds), NOW)).toBe(seconds * 1_000)
    }),
  )
})

test.each(['1000000001', '1'.repeat(13), '9'.repeat(400)])(
  'the Retry-After %s is the longest that there is',
  (value) => expect(parseRetryAfter(value, NOW)).toBe(10 ** 12),
)

test('a Retry-After is read in each of the three forms of a date in HTTP, as UTC', () => {
  const forms = [
    'Sun, 22 Nov 2026 10:02:00 GMT',
    'Sunday, 22-Nov-26 10:02:00 GMT',
    'Sun Nov 22 10:02:00 2026',
  ]
  for (const form of forms) expect(parseRetryAfter(form, NOW)).toBe(120_000)
  expect(parseRetryAfter('Fri Nov  6 10:00:00 2026', NOW)).toBe(-16 * 86_400_000)
  expect(parseRetryAfter('Sun, 22 Nov 2026 09:59:59 GMT', NOW)).toBe(-1_000)
})

test('the date that JavaScript prints is read back', () => {
  const date = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(date, (at) => {
      const seconds = Math.floor(at.getTime() / 1_000)
      expect(parseRetryAfter(at.toUTCString(), NOW)).toBe(seconds * 1_000 - NOW.getTime())
    }),
  )
})

test.each([
  undefined,
  '',
  ' 60',
  '-60',
  '+60',
  '6e1',
  '60.5',
  '0x3c',
  'soon',
  '2026-11-22T10:02:00Z',
  'Sun, 22 Nov 2026 10:02:00 PST',
  'Sun, 99 Nov 2026 10:02:00 GMT',
  'Sun, 22 Abc 2026 10:02:00 GMT',
  'Sun, 22 Nov 2026 25:02:00 GMT',
])('the Retry-After %j is ignored', (value) => {
  expect(parseRetryAfter(value, NOW)).toBeUndefined()
})
