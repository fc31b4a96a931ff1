export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/** `now` is the tenant's domain time, for lending; `realNow` is for jobs, retries and retention. */
export type Instant = { now: Date; realNow: Date }

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

export function addMs(to: Date, ms: number): Date {
  return new Date(to.getTime() + ms)
}

export function laterOf(one: Date | undefined, other: Date): Date {
  return one && one > other ? one : other
}

/** The first instant of the instant's month, in UTC. */
export function monthStart(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()))
}

/** The first instant of the next month: where the instant's month ends. */
export function monthEnd(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
}

/** For the OpenAPI document; allows 31 days in every month. */
export const TIMESTAMP_PATTERN =
  '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?Z$'

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?Z$/

/** ISO 8601 with `Z`; six fraction digits, of which three are kept. Undefined for other texts. */
export function parseTimestamp(text: string): Date | undefined {
  const match = TIMESTAMP.exec(text)
  if (!match) return undefined
  const date = new Date(`${text.slice(0, 19)}.${(match[7] ?? '').padEnd(3, '0').slice(0, 3)}Z`)
  // Date turns 30 February into 2 March, so only a date that prints as it was read exists.
  const exists =
    !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19) === text.slice(0, 19)
  return exists ? date : undefined
}

/** A calendar day of some time zone, such as `2026-11-25`. */
export type Day = string

const DAY = /^\d{4}-\d{2}-\d{2}$/

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Making one takes as long as a thousand uses. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hourCycle: 'h23', calendar: 'iso8601' },
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  })
  formats.set(timeZone, format)
  return format
}

/** The wall clock there, as if it were UTC. */
function wallClock(timeZone: string, at: Date): Date {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const { year, month, day, hour, minute, second } = parts
  const wall = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return new Date(wall.getTime() + (at.getTime() % 1_000))
}

export function dayIn(timeZone: string, at: Date): Day {
  return wallClock(timeZone, at).toISOString().slice(0, 10)
}

/** The first instant of the day there. */
export function startOfDay(timeZone: string, day: Day): Date {
  if (!DAY.test(day)) throw new Error(`not a day: ${day}`)
  const wanted = Date.parse(`${day}T00:00:00Z`)
  const offsetAt = (ms: number) => wallClock(timeZone, new Date(ms)).getTime() - ms
  // Twice: the first guess may lie on the other side of a change of the clocks.
  const guess = wanted - offsetAt(wanted)
  return new Date(wanted - offsetAt(guess))
}

export function addDays(day: Day, days: number): Day {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}
