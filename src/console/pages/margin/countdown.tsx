import { TimeLeft } from '../../../pages/lending/values.tsx'
import { useTenantNow } from '../../data/tenant-clock.ts'

/** By the tenant's clock. */
export function Countdown({ to }: { to: string }) {
  return <TimeLeft to={to} now={useTenantNow()} />
}
