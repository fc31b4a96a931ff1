export type Places<L> = {
  /** How many of the wanted places the lane gets. One that gets none is added again once it may get some. */
  take(lane: L, wanted: number): number
  free(lane: L, count: number): void
  /** It got none, and is run again by the lane that frees one. */
  isWaiting(lane: L): boolean
  /** Another lane of its tenant waits for a place. */
  isContended(lane: L): boolean
}

/** The sweep finds the lanes beyond this number. */
const MAX_WAITING = 10_000

/** Limits what runs at the same time in this process, in all and of one tenant. Never waits: a lane
 * that gets no place ends its job, and the lane that frees one passes it to `again`, the first to
 * come first. */
export function createPlaces<L extends { tenantId: string }>(options: {
  total?: number
  perTenant: number
  idOf(lane: L): string
  again(lane: L): void
}): Places<L> {
  const { total = Number.POSITIVE_INFINITY, perTenant, idOf, again } = options
  const takenBy = new Map<string, number>()
  const waiting = new Map<string, L>()
  let taken = 0

  const roomFor = ({ tenantId }: L) =>
    Math.min(total - taken, perTenant - (takenBy.get(tenantId) ?? 0))

  const add = ({ tenantId }: L, count: number) => {
    taken += count
    const left = (takenBy.get(tenantId) ?? 0) + count
    if (left > 0) takenBy.set(tenantId, left)
    else takenBy.delete(tenantId)
  }

  return {
    take(lane, wanted) {
      const got = Math.min(wanted, Math.max(0, roomFor(lane)))
      const id = idOf(lane)
      if (got > 0 || wanted <= 0) waiting.delete(id)
      else if (waiting.size < MAX_WAITING || waiting.has(id)) waiting.set(id, lane)
      if (got > 0) add(lane, got)
      return got
    },
    free(lane, count) {
      add(lane, -count)
      let left = count
      for (const [id, next] of waiting) {
        if (left === 0) break
        if (roomFor(next) <= 0) continue
        waiting.delete(id)
        left -= 1
        again(next)
      }
    },
    isWaiting: (lane) => waiting.has(idOf(lane)),
    isContended(lane) {
      const own = idOf(lane)
      return waiting.entries().some(([id, other]) => id !== own && other.tenantId === lane.tenantId)
    },
  }
}
