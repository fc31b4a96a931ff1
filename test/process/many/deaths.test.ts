import { expect, test } from 'vitest'
import { countDeaths, pauseAfter } from '../../../src/process/many/deaths.ts'

test('a process that dies young is started after a growing pause, at the fifth time no more', () => {
  const pauses: (number | undefined)[] = []
  for (let deaths = countDeaths(0, 0); deaths <= 5; deaths = countDeaths(deaths, 59_999)) {
    pauses.push(pauseAfter(deaths, 1_000))
  }
  expect(pauses).toEqual([0, 1_000, 2_000, 4_000, undefined])
})

test('a process that was ready for a minute is replaced at once', () => {
  expect(pauseAfter(countDeaths(4, 60_000), 1_000)).toBe(0)
})
