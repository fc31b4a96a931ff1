import { formatSeconds, secondsBetween } from '../../data/figures/durations.ts'
import { useTenantNow } from '../../data/tenant-clock.ts'
import { formatUtc } from '../../parts/time.tsx'

/** The time that is left, by the tenant's clock; at a deadline that has passed, since when. */
export function Countdown({ to }: { to: string }) {
  const now = useTenantNow()
  const left = secondsBetween(now, to)
  const text = left >= 0 ? `${formatSeconds(left)} left` : `passed ${formatSeconds(-left)} ago`
  return (
    <span className="figures time" title={`${formatUtc(to)} UTC`}>
      {text}
    </span>
  )
}
