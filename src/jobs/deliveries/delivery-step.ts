import type {
  ClaimedDelivery,
  FinishedAttempt,
  LockedWebhook,
} from '../../domain/webhooks/deliveries/deliver.ts'
import { isRecordedAlone } from '../../domain/webhooks/deliveries/record-attempts.ts'
import type { DeliveryLane } from './delivery-lane.ts'

/** What one pass takes of a lane. */
export type Step = {
  lane: DeliveryLane
  /** Begun by earlier passes. */
  attempts: FinishedAttempt[]
  /** Begun by this one, without a lease so far; resolves when the attempt has ended. */
  begun: Map<ClaimedDelivery, Promise<void>>
  /** Begun by this one and recorded by it, without a lease. */
  unleased: FinishedAttempt[]
  spare: number
  outcome: 'done' | 'locked' | 'alone' | 'disabled'
  hasClaimed: boolean
}

export type LockedStep = Step & { webhook: LockedWebhook }

export function createStep(lane: DeliveryLane, spare: number): Step {
  const attempts = lane.finished.splice(0)
  return {
    lane,
    attempts,
    begun: new Map(),
    unleased: [],
    spare,
    outcome: 'done',
    hasClaimed: false,
  }
}

/** Takes what has ended of what this pass has begun, up to the first that failed or that an earlier pass
 * began: the failure counter takes attempts in the order in which they ended. */
export function takeUnleased(step: LockedStep): void {
  const { lane, webhook, attempts, begun } = step
  const isOther = ({ delivery, outcome }: FinishedAttempt) =>
    !begun.has(delivery) || !outcome.succeeded
  const other = lane.finished.findIndex(isOther)
  const unleased = lane.finished.slice(0, other === -1 ? undefined : other)
  if (unleased.length === 0 || isRecordedAlone({ webhook, attempts, unleased })) return
  lane.finished.splice(0, unleased.length)
  step.unleased = unleased
  for (const { delivery } of unleased) begun.delete(delivery)
}

/** Success neither disables nor delays what is claimed next. An attempt whose lease has ended would be
 * claimed again. */
export const mayRecordLater = ({ attempts }: Step, now: Date) =>
  attempts.every(({ outcome, delivery }) => outcome.succeeded && delivery.leasedUntil > now)
