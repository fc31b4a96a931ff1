import { expect, test } from 'vitest'
import { addDays, dayIn, isTimeZone, parseTimestamp, startOfDay } from '../../src/core/time.ts'

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

const ZONES = ['UTC', 'America/New_York', 'Asia/Tokyo', 'Asia/Kathmandu', 'Pacific/Auckland']

test('a day begins at its first instant in its time zone, on days of 23 and 25 hours too', () => {
  for (const zone of ZONES) {
    for (let day = '2026-01-01'; day < '2027-01-02'; day = addDays(day, 1)) {
      const start = startOfDay(zone, day)
      expect(dayIn(zone, start)).toBe(day)
      expect(dayIn(zone, new Date(start.getTime() - 1))).toBe(addDays(day, -1))
    }
  }
  const hours = (day: string) =>
    startOfDay('America/New_York', addDays(day, 1)).getTime() -
    startOfDay('America/New_York', day).getTime()
  expect([hours('2026-03-08'), hours('2026-11-01')]).toEqual([23 * 3_600_000, 25 * 3_600_000])
})

test('only names of time zones are time zones', () => {
  expect(isTimeZone('America/New_York')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})
