export type SlotHolder = {
  tenantId: string
  inFlight: number
  signal: () => void
}

export type DeliverySlots<H extends SlotHolder> = {
  /** Where a cap is reached or others wait, the holder waits and is signalled in its turn. */
  isFree(holder: H): boolean
  /** `among`: so many of the tenant take in the same pass, this one and those after it. */
  take(holder: H, most: number, among: number): number
  release(holder: H, slots: number): void
  leaveQueue(holder: H): void
}

/** Slots for attempts in flight, under a cap for each webhook and one for each tenant. */
export function createDeliverySlots<H extends SlotHolder>(caps: {
  perWebhook: number
  perTenant: number
}): DeliverySlots<H> {
  const inFlightOf = new Map<string, number>()
  /** By tenant, the longest wait first. */
  const queues = new Map<string, Set<H>>()

  function nextInQueue(tenantId: string): H | undefined {
    const [next] = queues.get(tenantId) ?? []
    return next
  }

  function leave(holder: H): boolean {
    const queue = queues.get(holder.tenantId)
    const wasInQueue = queue?.delete(holder) ?? false
    if (queue?.size === 0) queues.delete(holder.tenantId)
    return wasInQueue
  }

  function isFree(holder: H): boolean {
    const { tenantId } = holder
    if (holder.inFlight >= caps.perWebhook) return false
    const next = nextInQueue(tenantId) ?? holder
    if ((inFlightOf.get(tenantId) ?? 0) < caps.perTenant && next === holder) return true
    const queue = queues.get(tenantId) ?? new Set()
    queues.set(tenantId, queue.add(holder))
    return false
  }

  return {
    isFree,
    take(holder, most, among) {
      if (!isFree(holder)) return 0
      leave(holder)
      const { tenantId } = holder
      const taken = inFlightOf.get(tenantId) ?? 0
      const free = caps.perTenant - taken
      const share = Math.max(1, Math.floor(free / among))
      const slots = Math.min(caps.perWebhook - holder.inFlight, share, most)
      holder.inFlight += slots
      inFlightOf.set(tenantId, taken + slots)
      if (slots < free) nextInQueue(tenantId)?.signal()
      return slots
    },
    release(holder, slots) {
      if (slots === 0) return
      const { tenantId } = holder
      holder.inFlight -= slots
      const left = (inFlightOf.get(tenantId) ?? 0) - slots
      if (left > 0) inFlightOf.set(tenantId, left)
      else inFlightOf.delete(tenantId)
      nextInQueue(tenantId)?.signal()
    },
    leaveQueue(holder) {
      if (leave(holder)) nextInQueue(holder.tenantId)?.signal()
    },
  }
}
