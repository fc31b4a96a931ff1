import { MINUTE_MS } from '../../core/time.ts'

/** A process that was ready for as long has not failed to start. */
const STEADY_MS = MINUTE_MS

const MOST_IN_A_ROW = 5

/** Deaths in a row, this one included; `readyMs`: how long the process had been ready. */
export const countDeaths = (before: number, readyMs: number) =>
  readyMs >= STEADY_MS ? 1 : before + 1

/** None, then one, two and four times `shortestMs`. Undefined: it died too often. */
export function pauseAfter(deaths: number, shortestMs: number): number | undefined {
  if (deaths >= MOST_IN_A_ROW) return undefined
  return deaths === 1 ? 0 : shortestMs * 2 ** (deaths - 2)
}
