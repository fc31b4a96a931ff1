import type { DeliveryLane } from './delivery-lane.ts'

const SETTLE_EVERY_MS = 1_000

/** A settled webhook is skipped by the sweep; settling each once a second is enough. */
export function createSettleGate() {
  const settled = new Set<string>()
  let settledSince = 0
  return ({ webhookId }: DeliveryLane, hasAttempted: boolean): boolean => {
    if (performance.now() - settledSince > SETTLE_EVERY_MS) {
      settled.clear()
      settledSince = performance.now()
    }
    if (hasAttempted && settled.has(webhookId)) return false
    settled.add(webhookId)
    return true
  }
}
