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
