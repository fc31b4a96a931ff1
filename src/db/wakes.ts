/** Work left for a job by a transaction; a hint sent after its commit, or shortly before it. */
export type Wake = { kind: 'work'; topic: string } | ({ kind: 'deliveries' } & DeliveryWake)

export type DeliveryWake = { tenantId: string; webhookId: string; event?: WokenEvent }

/** The only one to be delivered. `isEarly`: its commit may still be under way. */
export type WokenEvent = { eventId: string; isEarly: boolean }

/** A commit within this time of an early wake is followed by no other wake. */
export const EARLY_COMMIT_MS = 2

/** Who receives an early wake looks once more after this time, which is longer: no event is missed, so
 * long as both clocks run at about the same speed. */
export const EARLY_WAKE_HOLDS_MS = 5

/** To be sent after a commit. `neededFrom`, by `performance.now()`: not after an earlier one. */
export type LateWake = { wake: Wake; neededFrom?: number }

export function wakesNeeded(late: readonly LateWake[], now: number): Wake[] {
  return late.flatMap(({ wake, neededFrom = -Infinity }) => (now > neededFrom ? wake : []))
}

/** One wake for two of a webhook. An early one stays, and its first claim finds what the other is about;
 * of two the newer, whose event is numbered after the older one has committed. */
export function mergeWakes(waiting: DeliveryWake, wake: DeliveryWake): DeliveryWake {
  if (wake.event?.isEarly) return wake
  if (waiting.event?.isEarly) return waiting
  const { tenantId, webhookId } = wake
  return { tenantId, webhookId }
}
