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
