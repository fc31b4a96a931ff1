import { Status } from '../../../pages/parts/values.tsx'
import type { WebhookRow } from '../../data/webhooks.ts'

const FAILING_FROM = 5

export function WebhookState({
  of: { state, consecutive_failed_attempts: failed = 0, isUnread },
}: {
  of: Partial<Pick<WebhookRow, 'state' | 'consecutive_failed_attempts' | 'isUnread'>>
}) {
  if (state === undefined) return <Status tone="plain">{isUnread ? 'Not read' : '…'}</Status>
  if (state === 'disabled') return <Status tone="bad">Disabled</Status>
  return failed >= FAILING_FROM ? (
    <Status tone="warn">Failing</Status>
  ) : (
    <Status tone="good">Active</Status>
  )
}
