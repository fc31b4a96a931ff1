import type { Demand } from '../domain/work/claim.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from '../domain/work/topics.ts'

/** The slots of one worker: how much of each class it may run at once, and whose. */
export type WorkSlots = {
  /** What there is room for, most urgent first; nothing of a class whose slots are taken. */
  demands(): Demand[]
  take(work: { topic: Topic; tenantId: string }): void
  free(work: { topic: Topic; tenantId: string }): void
  /** Where the tenants' turns in a class go on. */
  goOnAfter(priority: Priority, tenantId: string): void
  /** Whether a class with room was left before its last tenant. */
  isMidway(): boolean
}

type ClassState = { size: number; taken: number; after: string; held: Map<string, number> }

/**
 * Each class has slots of its own, counted in subjects. A tenant may take half of what the others
 * have left of a class, and one slot at least while any is free: however many pieces it has, and
 * however slow they are, there is room for the next tenant.
 */
export function createWorkSlots(topics: readonly Topic[]): WorkSlots {
  const classes = new Map<Priority, ClassState>()
  for (const topic of topics) {
    const { priority, batch = 1 } = topicRow(topic)
    const size = PRIORITIES[priority].slots * batch
    const known = classes.get(priority)
    if (known && known.size !== size) throw new Error(`${priority} has batches of several sizes`)
    classes.set(priority, { size, taken: 0, after: '', held: new Map() })
  }
  const byRank = [...classes].sort(([a], [b]) => PRIORITIES[a].rank - PRIORITIES[b].rank)
  const classOf = (topic: Topic) => {
    const found = classes.get(topicRow(topic).priority)
    if (!found) throw new Error(`${topic} is not run here`)
    return found
  }

  return {
    demands() {
      return byRank.flatMap(([priority, { size, taken, after, held }]) => {
        const free = size - taken
        if (free === 0) return []
        const holds = [...held].map(([tenantId, count]) => ({
          tenantId,
          share: Math.max(0, Math.floor((free - count) / 2)),
        }))
        return [{ priority, after, most: free, share: Math.max(1, Math.floor(free / 2)), holds }]
      })
    },
    take({ topic, tenantId }) {
      const one = classOf(topic)
      one.taken += 1
      one.held.set(tenantId, (one.held.get(tenantId) ?? 0) + 1)
    },
    free({ topic, tenantId }) {
      const one = classOf(topic)
      const left = (one.held.get(tenantId) ?? 0) - 1
      one.taken -= 1
      if (left > 0) one.held.set(tenantId, left)
      else one.held.delete(tenantId)
    },
    goOnAfter(priority, tenantId) {
      const one = classes.get(priority)
      if (one) one.after = tenantId
    },
    isMidway: () => byRank.some(([, { after, size, taken }]) => after !== '' && taken < size),
  }
}
