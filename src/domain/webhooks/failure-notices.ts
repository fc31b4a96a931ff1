import type { EventToAppend } from '../events/append-event.ts'
import { DISABLE_AT } from './deliveries/decide-outcome.ts'
import type { FinishedAttempt, LockedWebhook } from './deliveries/deliver.ts'
import type { OutcomeRow } from './deliveries/outcome-queries.ts'

/** An event about a webhook that fails or is disabled. */
export type FailureNotice = Extract<EventToAppend, { type: 'webhook.failing' | 'webhook.disabled' }>

const FAILING_AT = [25, 50, 75] as const

const isAboutMargin = (eventType: string) => eventType.startsWith('margin_')

/** Of failed attempts in a row, in the order in which attempts ended. */
export function thresholdsReached(
  failedAttempts: number,
  outcomes: readonly { succeeded: boolean }[],
): number[] {
  const reached: number[] = []
  let failed = failedAttempts
  for (const { succeeded } of outcomes) {
    failed = succeeded ? 0 : Math.min(failed + 1, DISABLE_AT)
    if (!succeeded && FAILING_AT.some((at) => at === failed)) reached.push(failed)
  }
  return reached
}

/** May give a notice, whichever of the attempts are recorded. */
export function mayGiveNotice(
  { failedAttempts }: LockedWebhook,
  attempts: readonly FinishedAttempt[],
): boolean {
  if (attempts.every(({ outcome }) => outcome.succeeded)) return false
  const most = failedAttempts + attempts.length
  if (attempts.length >= FAILING_AT[0]) return true
  if (FAILING_AT.some((at) => failedAttempts < at && at <= most)) return true
  return attempts.some(({ delivery }) => isAboutMargin(delivery.eventType))
}

/** `recorded` in the order in which the attempts ended; the webhook as it was before. */
export function failingNotices(
  webhook: LockedWebhook,
  recorded: readonly { attempt: FinishedAttempt; row: OutcomeRow }[],
  { failedAttempts, now }: { failedAttempts: number; now: Date },
): FailureNotice[] {
  const { webhookId, url, isActive } = webhook
  if (!isActive) return []
  const notice = {
    type: 'webhook.failing',
    resource: resourceOf(webhookId),
    occurredAt: now,
  } as const
  const outcomes = recorded.map(({ attempt }) => attempt.outcome)
  const reached = thresholdsReached(webhook.failedAttempts, outcomes)
  const deadLetters = recorded.filter(
    ({ attempt: { delivery }, row }) =>
      row.state === 'dead_lettered' &&
      delivery.state === 'pending' &&
      isAboutMargin(delivery.eventType),
  )
  return [
    ...reached.map((count) => ({
      ...notice,
      data: {
        webhook_id: webhookId,
        url,
        consecutive_failed_attempts: count,
        reason: 'failures' as const,
      },
    })),
    ...deadLetters.map(({ attempt: { delivery } }) => ({
      ...notice,
      data: {
        webhook_id: webhookId,
        url,
        consecutive_failed_attempts: failedAttempts,
        reason: 'dead_letter' as const,
        dead_letter: { event_id: delivery.eventId, event_type: delivery.eventType },
      },
    })),
  ]
}

export function disabledNotice({ webhookId, url }: LockedWebhook, now: Date): FailureNotice {
  return {
    type: 'webhook.disabled',
    resource: resourceOf(webhookId),
    occurredAt: now,
    data: { webhook_id: webhookId, url, disabled_at: now.toISOString() },
  }
}

const resourceOf = (webhookId: string) => ({ type: 'webhook' as const, id: webhookId })
