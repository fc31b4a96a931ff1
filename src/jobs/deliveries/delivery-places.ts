/** A webhook's share of the places for attempts in flight. */
export type PlaceHolder = {
  tenantId: string
  inFlight: number
  /** Has it look again: a place may be free. */
  signal: () => void
}

/** Places for attempts in flight, capped for each webhook and each tenant. */
export type Places<H extends PlaceHolder> = {
  /**
   * Whether it may have an attempt more in flight. Where the tenant's cap is full, or others wait
   * for it already, it joins the end of their line and is signalled when it is its turn.
   */
  isFree(holder: H): boolean
  /** Takes all places that it may have, 0 where `isFree` is false; gives their number. */
  take(holder: H): number
  giveBack(holder: H, places: number): void
  /** Gives up waiting, in favour of the next in line. */
  leaveLine(holder: H): void
}

/** Places for attempts in flight, under a cap for each webhook and one for each tenant. */
export function createPlaces<H extends PlaceHolder>(caps: {
  perWebhook: number
  perTenant: number
}): Places<H> {
  const inFlightOf = new Map<string, number>()
  /** Who waits for a place under its tenant's cap, by tenant, the longest first. */
  const lines = new Map<string, Set<H>>()

  function nextInLine(tenantId: string): H | undefined {
    const [next] = lines.get(tenantId) ?? []
    return next
  }

  /** Whether it was in line. */
  function leave(holder: H): boolean {
    const line = lines.get(holder.tenantId)
    const wasInLine = line?.delete(holder) ?? false
    if (line?.size === 0) lines.delete(holder.tenantId)
    return wasInLine
  }

  function isFree(holder: H): boolean {
    const { tenantId } = holder
    if (holder.inFlight >= caps.perWebhook) return false
    const next = nextInLine(tenantId) ?? holder
    if ((inFlightOf.get(tenantId) ?? 0) < caps.perTenant && next === holder) return true
    const line = lines.get(tenantId) ?? new Set()
    lines.set(tenantId, line.add(holder))
    return false
  }

  return {
    isFree,
    take(holder) {
      if (!isFree(holder)) return 0
      leave(holder)
      const { tenantId } = holder
      const taken = inFlightOf.get(tenantId) ?? 0
      const free = caps.perTenant - taken
      const places = Math.min(caps.perWebhook - holder.inFlight, free)
      holder.inFlight += places
      inFlightOf.set(tenantId, taken + places)
      if (places < free) nextInLine(tenantId)?.signal()
      return places
    },
    giveBack(holder, places) {
      if (places === 0) return
      const { tenantId } = holder
      holder.inFlight -= places
      const left = (inFlightOf.get(tenantId) ?? 0) - places
      if (left > 0) inFlightOf.set(tenantId, left)
      else inFlightOf.delete(tenantId)
      nextInLine(tenantId)?.signal()
    },
    leaveLine(holder) {
      if (leave(holder)) nextInLine(holder.tenantId)?.signal()
    },
  }
}
