import type { ClaimedDelivery } from '../../domain/webhooks/deliveries/deliver.ts'
import { type DeliveryLane, FIRST_STRIDE } from './delivery-lane.ts'
import type { DeliveryPassOptions } from './delivery-pass.ts'
import type { DeliverySlots } from './delivery-slots.ts'
import type { Step } from './delivery-step.ts'
import type { PromptEndpoints } from './prompt-endpoints.ts'

/** After 10 s the database ends the transaction of a claim. */
const START_WITHIN_MS = 2_000

/** Begins the attempts of what a claim has found. `began`: when the claim did, by the clock of `clock`. */
export function createAttempts(
  { sender, clock, logger }: Pick<DeliveryPassOptions, 'sender' | 'clock' | 'logger'>,
  slots: DeliverySlots<DeliveryLane>,
  endpoints: PromptEndpoints,
) {
  async function attempt(lane: DeliveryLane, delivery: ClaimedDelivery): Promise<void> {
    try {
      const startedAt = clock()
      const outcome = await sender.send(delivery, startedAt)
      const finished = { delivery, startedAt, endedAt: clock(), outcome }
      lane.finished.push(finished)
      endpoints.note(finished)
    } catch (error) {
      const { tenantId, webhookId, eventId } = delivery
      logger.error({ tenantId, webhookId, eventId, err: error }, 'delivery sender failed')
    } finally {
      slots.release(lane, 1)
      lane.signal()
    }
  }

  function beginOf(step: Step, ours: readonly ClaimedDelivery[]): void {
    const { lane, spare } = step
    lane.hold.end()
    lane.awake ||= ours.length === spare
    lane.stride = ours.length === spare ? 2 * lane.stride : FIRST_STRIDE
    step.spare -= ours.length
    step.hasClaimed = true
    for (const delivery of ours) {
      const end = attempt(lane, delivery)
      if (!delivery.isLeasedByClaim) step.begun.set(delivery, end)
    }
  }

  return (steps: readonly Step[], claimed: readonly ClaimedDelivery[], began: Date): void => {
    const waitedMs = clock().getTime() - began.getTime()
    if (waitedMs > START_WITHIN_MS) throw new Error(`a claim took ${waitedMs} ms`)
    const claimedOf = Map.groupBy(claimed, ({ webhookId }) => webhookId)
    for (const step of steps) beginOf(step, claimedOf.get(step.lane.webhookId) ?? [])
  }
}
