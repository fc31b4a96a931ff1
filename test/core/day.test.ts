import { expect, test } from 'vitest'
import { addDays, dayIn, isTimeZone, startOfDay } from '../../src/core/day.ts'

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
