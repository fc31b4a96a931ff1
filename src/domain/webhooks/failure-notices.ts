import { DISABLE_AT } from '../deliveries/decide-outcome.ts'
import type { LockedLane } from '../deliveries/lane.ts'
import type { RecordedAttempt } from '../deliveries/record.ts'
import type { EventToAppend } from '../events/append/append.ts'

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

/** `recorded` in the order in which the attempts ended; the lane as it was before. `failures`: in a row, after them. */
export function failingNotices(
  lane: Pick<LockedLane, 'webhookId' | 'url' | 'state' | 'failures'>,
  recorded: readonly RecordedAttempt[],
  { failures, now }: { failures: number; now: Date },
): FailureNotice[] {
  const { webhookId, url, state } = lane
  if (state !== 'active') return []
  const notice = {
    type: 'webhook.failing',
    resource: resourceOf(webhookId),
    occurredAt: now,
  } as const
  const outcomes = recorded.map(({ attempt }) => attempt.outcome)
  const reached = thresholdsReached(lane.failures, outcomes)
  const deadLetters = recorded.filter(
    ({ attempt: { delivery }, state: after }) =>
      after === 'dead_lettered' &&
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
        consecutive_failed_attempts: failures,
        reason: 'dead_letter' as const,
        dead_letter: { event_id: delivery.eventId, event_type: delivery.eventType },
      },
    })),
  ]
}

export function disabledNotice(
  { webhookId, url }: Pick<LockedLane, 'webhookId' | 'url'>,
  now: Date,
): FailureNotice {
  return {
    type: 'webhook.disabled',
    resource: resourceOf(webhookId),
    occurredAt: now,
    data: { webhook_id: webhookId, url, disabled_at: now.toISOString() },
  }
}

const resourceOf = (webhookId: string) => ({ type: 'webhook' as const, id: webhookId })
