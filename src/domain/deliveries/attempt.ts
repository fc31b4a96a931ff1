import type { Clock } from '../../core/time.ts'
import type { DeliveryOutcome, WebhookSender } from '../webhooks/webhook-sender.ts'
import type { ClaimedDelivery } from './claim.ts'

export type FinishedAttempt = {
  delivery: ClaimedDelivery
  endedAt: Date
  outcome: DeliveryOutcome
}

/** One signed POST, signed with the instant of its claim, which is recorded as its beginning: a reader of the
 * attempt sees the timestamp that was sent. No transaction may be open. */
export async function attempt(
  sender: WebhookSender,
  delivery: ClaimedDelivery,
  clock: Clock,
): Promise<FinishedAttempt> {
  const outcome = await sender.send(delivery, delivery.claimedAt)
  return { delivery, endedAt: clock(), outcome }
}
