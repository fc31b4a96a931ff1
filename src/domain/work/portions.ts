import type { Portion, ReadyLane } from './claim-queries.ts'

/** What a class has room for; `most` and `batch` count rows. */
export type ClassDemand = {
  rank: number
  inOrder: boolean
  /** Continue after this tenant; empty to begin. */
  after: string
  most: number
  batch: number
  /** At most so many of one tenant, or what `holds` gives it. */
  share: number
  holds: readonly { tenantId: string; share: number }[]
}

export const lanesWanted = ({ most, batch }: ClassDemand) => Math.floor(most / batch)

/** An equal part of each class for each tenant with ready work, in the order of the tenants, and where
 * the class continues: empty after its last tenant. */
export function dividePortions(
  classes: readonly ClassDemand[],
  lanes: readonly ReadyLane[],
): { portions: Portion[]; next: Map<number, string> } {
  const next = new Map<number, string>()
  const byRank = Map.groupBy(lanes, ({ rank }) => rank)
  const portions = classes.flatMap((demand): Portion[] => {
    const { rank, inOrder, after, batch, share, holds } = demand
    const wanted = lanesWanted(demand)
    const ready = (byRank.get(rank) ?? [])
      .filter(({ tenantId }) => tenantId > after)
      .slice(0, wanted)
    next.set(rank, ready.length === wanted ? (ready.at(-1)?.tenantId ?? '') : '')
    const equal = Math.max(Math.floor(wanted / Math.max(ready.length, 1)), 1) * batch
    return ready.map(({ tenantId }) => {
      const most = holds.find((hold) => hold.tenantId === tenantId)?.share ?? share
      return { tenantId, rank, inOrder, share: Math.min(equal, most) }
    })
  })
  return { portions, next }
}
