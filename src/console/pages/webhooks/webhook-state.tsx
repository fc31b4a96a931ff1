import type { Webhook } from '../../../client/resources/resources.ts'
import { Status } from '../../parts/status.tsx'

const FAILING_FROM = 5

export function WebhookState({
  of: { state, consecutive_failed_attempts: failed = 0 },
}: {
  of: Partial<Pick<Webhook, 'state' | 'consecutive_failed_attempts'>>
}) {
  if (state === undefined) return <Status tone="plain">…</Status>
  if (state === 'disabled') return <Status tone="bad">Disabled</Status>
  return failed >= FAILING_FROM ? (
    <Status tone="warn">Failing</Status>
  ) : (
    <Status tone="good">Active</Status>
  )
}
