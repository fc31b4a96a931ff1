import { addMs, HOUR_MS, MINUTE_MS } from '../../core/time.ts'
import type { DeliveryState } from '../../db/schema.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'dead_lettered', 'cancelled'] as const

/** Pauses after the first, second, … failed attempt of the schedule (interface, Delivery rule 2). */
export const RETRY_DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  6 * HOUR_MS,
] as const

/** At most a tenth is added to a pause, so that endpoints are not met by a herd when they return. */
const JITTER = 0.1

/** Failed attempts in a row, across all events, at which a webhook is disabled. */
export const DISABLE_AT = 100

/** One ended attempt, with what its delivery looked like when it was claimed. */
export type EndedAttempt = {
  succeeded: boolean
  /** Asked for by the tenant, outside the schedule. */
  requested: boolean
  endedAt: Date
  /** Failed attempts of the schedule before this one. */
  failures: number
  nextAttemptAt: Date | undefined
  /** The delivery's state now: it may have been cancelled while the attempt was under way. */
  state: DeliveryState
}

export type DeliveryAfter = {
  state: DeliveryState
  failures: number
  nextAttemptAt: Date | undefined
}

/**
 * What an attempt makes of its delivery. Success delivers it, whatever state it was in. A failure of
 * the schedule earns the next pause, or a dead letter after the sixth; a failed retry that the
 * tenant asked for leaves state and schedule as they were. `random` is in [0, 1).
 */
export function settleDelivery(attempt: EndedAttempt, random: number): DeliveryAfter {
  const { state, failures, nextAttemptAt } = attempt
  if (attempt.succeeded) return { state: 'delivered', failures, nextAttemptAt: undefined }
  // What was cancelled while the attempt was under way has nothing planned any more.
  if (state !== 'pending') return { state, failures, nextAttemptAt: undefined }
  if (attempt.requested) return { state, failures, nextAttemptAt }

  const delay = RETRY_DELAYS_MS[failures]
  if (delay === undefined) {
    return { state: 'dead_lettered', failures: failures + 1, nextAttemptAt: undefined }
  }
  const pauseMs = Math.floor(delay * (1 + JITTER * random))
  return { state, failures: failures + 1, nextAttemptAt: addMs(attempt.endedAt, pauseMs) }
}

/**
 * The failure counter after attempts that ended in this order: any success sets it to 0, a failure
 * raises it, and at exactly 100 an active webhook is disabled (interface, States of a webhook).
 */
export function countFailures(
  before: { failedAttempts: number; isActive: boolean },
  outcomes: readonly { succeeded: boolean }[],
): { failedAttempts: number; disable: boolean } {
  let failedAttempts = before.failedAttempts
  let disable = false
  for (const { succeeded } of outcomes) {
    failedAttempts = succeeded ? 0 : Math.min(failedAttempts + 1, DISABLE_AT)
    if (failedAttempts === DISABLE_AT && before.isActive) disable = true
  }
  return { failedAttempts, disable }
}
