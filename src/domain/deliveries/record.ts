import type { Tx } from '../../db/database.ts'
import type { DeliveryState } from '../../db/schema/events.ts'
import { appendEvents, RAISED } from '../events/append/append.ts'
import { requestFailureMails } from '../webhooks/failure-mails.ts'
import { disabledNotice, failingNotices } from '../webhooks/failure-notices.ts'
import { disableWebhook } from '../webhooks/webhooks.ts'
import type { FinishedAttempt } from './attempt.ts'
import type { ClaimedDelivery, LostDelivery } from './claim.ts'
import { countFailures, type DeliveryAfter, settleDelivery } from './decide-outcome.ts'
import { type LaneName, type LockedLane, lockLane } from './lane.ts'
import { COMMIT_DURABLY, setFailures } from './lane-queries.ts'
import {
  type AttemptRecord,
  cancelLost,
  insertAttempts,
  insertWebhookNotices,
  updateDeliveries,
} from './record-queries.ts'

export type RecordedAttempt = { attempt: FinishedAttempt; state: DeliveryState }

/** Writes attempts in the order in which they ended: the row of each, its delivery, and what they mean for the
 * webhook, which the hundredth failure in a row disables. Attempts that the lane no longer holds change nothing.
 * Returns what was recorded, and the lane as it is then. `random` is in [0, 1), for each attempt. */
export async function record(
  tx: Tx,
  lane: LockedLane,
  attempts: readonly FinishedAttempt[],
  { lease, random, now }: { lease: string; random: () => number; now: Date },
): Promise<{ recorded: RecordedAttempt[]; lane: LockedLane }> {
  const isOurs = ({ sequence }: ClaimedDelivery) =>
    lane.lease === lease && lane.inFlight.includes(sequence)
  const settled = attempts
    .filter(({ delivery }) => isOurs(delivery))
    .map((attempt) => ({ attempt, after: settle(attempt, lane, random()) }))
  if (settled.length === 0) return { recorded: [], lane }
  write(tx, lane, settled)

  const recorded = settled.map(({ attempt, after }) => ({ attempt, state: after.state }))
  const counter = countFailures(
    lane,
    recorded.map(({ attempt }) => attempt.outcome),
  )
  const notices = failingNotices(lane, recorded, { failures: counter.failures, now })
  if (counter.disable) notices.push(disabledNotice(lane, now))
  if (notices.length > 0) {
    tx.send(COMMIT_DURABLY)
    appendEvents(tx, lane.tenantId, notices)
    await requestFailureMails(tx, lane.tenantId, notices, now)
  }
  // It locks the counter. Whoever records at another webhook waits for that with a person's mail locked.
  if (counter.disable) await disableWebhook(tx, lane, now)
  const state = counter.disable ? 'disabled' : lane.state
  return { recorded, lane: { ...lane, state, failures: counter.failures } }
}

/** Cancels deliveries whose events are no longer retained. */
export function recordLost(tx: Tx, lane: LaneName, lost: readonly LostDelivery[]): void {
  const { tenantId, webhookId } = lane
  for (const { eventId, recordedAt } of lost) {
    tx.send(cancelLost({ tenantId, webhookId, eventId, recordedAt }))
  }
}

/** A 2xx outside the log (a simulation) resets the counter too. */
export async function resetFailures(tx: Tx, lane: LaneName): Promise<void> {
  if (!(await lockLane(tx, lane))) return
  tx.send(setFailures({ ...lane, failures: 0 }))
}

function settle(
  { delivery, endedAt, outcome }: FinishedAttempt,
  lane: LockedLane,
  random: number,
): DeliveryAfter {
  const { requested, failures, nextAttemptAt } = delivery
  const { succeeded, retryAfterMs } = outcome
  const isCancelled = lane.state !== 'active' && delivery.state === 'pending'
  const state = isCancelled ? 'cancelled' : delivery.state
  return settleDelivery(
    { succeeded, requested, endedAt, failures, nextAttemptAt, state, retryAfterMs },
    random,
  )
}

type Settled = { attempt: FinishedAttempt; after: DeliveryAfter }

function write(tx: Tx, { tenantId, webhookId }: LaneName, settled: readonly Settled[]): void {
  const attempts = JSON.stringify(settled.map(toRecord))
  const deliveries = settled.map(({ attempt: { delivery } }) => delivery)
  const times = deliveries.map(({ recordedAt }) => recordedAt.getTime())
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  const eventIds = deliveries.map(({ eventId }) => eventId)
  tx.send(updateDeliveries({ tenantId, webhookId, attempts, eventIds, first, last }))
  tx.send(insertAttempts({ tenantId, webhookId, attempts }))
  noteRaises(tx, tenantId, settled)
}

/** An endpoint that has taken a raise is proof of notice. */
function noteRaises(tx: Tx, tenantId: string, settled: readonly Settled[]): void {
  const answered = settled
    .filter(({ attempt }) => attempt.outcome.succeeded && attempt.delivery.eventType === RAISED)
    .map(({ attempt: { delivery, endedAt } }) => ({
      event_id: delivery.eventId,
      ended_at: endedAt,
    }))
  if (answered.length === 0) return
  const eventIds = answered.map(({ event_id }) => event_id)
  tx.send(insertWebhookNotices({ tenantId, answered: JSON.stringify(answered), eventIds }))
}

function toRecord({ attempt: { delivery, outcome }, after }: Settled): AttemptRecord {
  const { status = null, error = null, durationMs, bodyExcerpt } = outcome
  return {
    event_id: delivery.eventId,
    recorded_at: delivery.recordedAt,
    number: delivery.attempt,
    // An attempt is under way from its claim on.
    started_at: delivery.claimedAt,
    status,
    error,
    duration_ms: durationMs,
    response_excerpt: bodyExcerpt,
    requested: delivery.requested,
    state: after.state,
    listed_as: after.state === 'delivered' && !delivery.isListed ? null : after.state,
    failures: after.failures,
    next_attempt_at: after.nextAttemptAt ?? null,
  }
}
