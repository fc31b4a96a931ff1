import { addMs, HOUR_MS, MINUTE_MS } from '../../core/time.ts'
import type { DeliveryState } from '../../db/schema/events.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'dead_lettered', 'cancelled'] as const

export const RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
] as const

/** Adds at most a tenth, so that endpoints that come back are not hit by all retries at once. */
const JITTER = 0.1

export const DISABLE_AT = 100

export type EndedAttempt = {
  succeeded: boolean
  requested: boolean
  endedAt: Date
  failures: number
  nextAttemptAt: Date | undefined
  state: DeliveryState
  retryAfterMs: number | undefined
}

export type DeliveryAfter = {
  state: DeliveryState
  failures: number
  nextAttemptAt: Date | undefined
}

/** Success delivers in any state; a sixth scheduled failure is a dead letter; a failed requested
 * retry leaves state and schedule unchanged. The endpoint can put a retry off, at most by the next
 * wait of the schedule; after the last there is none. `random` is in [0, 1). */
export function settleDelivery(attempt: EndedAttempt, random: number): DeliveryAfter {
  const { state, failures, nextAttemptAt } = attempt
  if (attempt.succeeded) return { state: 'delivered', failures, nextAttemptAt: undefined }
  if (state !== 'pending') return { state, failures, nextAttemptAt: undefined }
  if (attempt.requested) return { state, failures, nextAttemptAt }

  const delay = RETRY_DELAYS_MS[failures]
  if (delay === undefined) {
    return { state: 'dead_lettered', failures: failures + 1, nextAttemptAt: undefined }
  }
  const scheduledMs = Math.floor(delay * (1 + JITTER * random))
  const putOffMs = Math.min(attempt.retryAfterMs ?? 0, RETRY_DELAYS_MS[failures + 1] ?? 0)
  const pauseMs = Math.max(scheduledMs, putOffMs)
  return { state, failures: failures + 1, nextAttemptAt: addMs(attempt.endedAt, pauseMs) }
}

/** Attempts in the order in which they ended. Disables an active webhook at exactly 100. */
export function countFailures(
  before: { failures: number; state: string },
  outcomes: readonly { succeeded: boolean }[],
): { failures: number; disable: boolean } {
  let failures = before.failures
  let disable = false
  for (const { succeeded } of outcomes) {
    failures = succeeded ? 0 : Math.min(failures + 1, DISABLE_AT)
    if (failures === DISABLE_AT && before.state === 'active') disable = true
  }
  return { failures, disable }
}
