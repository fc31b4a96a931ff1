const utcDay = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const utcTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })
const local = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' })

export const formatUtc = (at: string) => {
  const instant = new Date(at)
  return `${utcDay.format(instant)}, ${utcTime.format(instant)}`
}

/** UTC, with the local time on hover. `brief` leaves out "UTC" where a column's head names it. */
export function Time({ at, brief = false }: { at: string | null | undefined; brief?: boolean }) {
  if (!at) return <span className="quiet">–</span>
  return (
    <time
      dateTime={at}
      title={`${local.format(new Date(at))} (local)\n${at}`}
      className="figures time"
    >
      {formatUtc(at)}
      {brief ? '' : ' UTC'}
    </time>
  )
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function Ago({ at }: { at: string | null | undefined }) {
  if (!at) return <span className="quiet">never</span>
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000
  if (Math.abs(seconds) < 60) {
    return (
      <time dateTime={at} title={`${formatUtc(at)} UTC`} className="time">
        {seconds > 0 ? 'in a minute' : 'in the last minute'}
      </time>
    )
  }
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['minute', 60]
  return (
    <time dateTime={at} title={`${formatUtc(at)} UTC`} className="time">
      {relative.format(Math.round(seconds / size), unit)}
    </time>
  )
}
