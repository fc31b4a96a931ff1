import { useTenantNow } from '../../data/tenant-clock.ts'
import { TimeLeft } from '../../parts/margin/time-left.tsx'

/** By the tenant's clock. */
export function Countdown({ to }: { to: string }) {
  return <TimeLeft to={to} now={useTenantNow()} />
}
