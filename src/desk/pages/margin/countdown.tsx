import { useSecond } from '../../../pages/data/use-second.ts'
import { TimeLeft } from '../../../pages/lending/values.tsx'

type CountdownProps = {
  warning: { cure_deadline: string; as_of: string; on_hold: boolean; readAt: number }
}

/** Counts by the tenant's clock, which goes on from what was read. A hold stops it. */
export function Countdown({ warning }: CountdownProps) {
  const { cure_deadline: deadline, as_of: asOf, readAt } = warning
  const since = Math.max(0, useSecond() - readAt)
  if (warning.on_hold) return 'On hold'
  return <TimeLeft to={deadline} now={new Date(Date.parse(asOf) + since)} />
}
