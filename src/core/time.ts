/** Tells the time. Domain code is handed a `Date`; only the edges hold a clock. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/**
 * The two times of an operation. `now` is the tenant's domain time, by which everything about
 * lending is judged; `realNow` is the wall clock, by which jobs, retries and retention run.
 */
export type Instant = { now: Date; realNow: Date }

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** `to` moved by `ms` milliseconds. */
export function addMs(to: Date, ms: number): Date {
  return new Date(to.getTime() + ms)
}

/** The form of a timestamp of a request, as the OpenAPI document shows it; of each month it has 31 days. */
export const TIMESTAMP_PATTERN =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?Z$'

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?Z$/

/**
 * Reads a timestamp of a request: ISO 8601 UTC with `Z` and at most six fraction digits, of which
 * three are kept. Returns undefined for anything else, dates that do not exist (30 February,
 * 24:00) included.
 */
export function parseTimestamp(text: string): Date | undefined {
  const match = TIMESTAMP.exec(text)
  if (!match) return undefined
  const date = new Date(`${text.slice(0, 19)}.${(match[7] ?? '').padEnd(3, '0').slice(0, 3)}Z`)
  // Date rolls 30 February over to March: only a date that prints as it was read is real.
  const exists =
    !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19)
  return exists ? date : undefined
}
