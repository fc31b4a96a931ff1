import { formatSeconds, secondsBetween } from '../../data/figures/durations.ts'
import { formatUtc } from '../time.tsx'

/** The time that is left at `now`; at a deadline that has passed, since when. */
export function TimeLeft({ to, now }: { to: string; now: Date }) {
  const left = secondsBetween(now, to)
  const text = left >= 0 ? `${formatSeconds(left)} left` : `passed ${formatSeconds(-left)} ago`
  return (
    <span className="figures time" title={`${formatUtc(to)} UTC`}>
      {text}
    </span>
  )
}
