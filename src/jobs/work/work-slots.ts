import type { Claim, Demand } from '../../domain/work/claim.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from '../../domain/work/topics.ts'

/** What a slot is taken for: one subject, or a batch of one tenant. */
export type Run = { topic: Topic; tenantId: string; claims: readonly Claim[] }

/** The slots of one worker: how many runs of each class it may have at once, and of which tenants. */
export type WorkSlots = {
  /** What there is room for, most urgent first; nothing of a class whose slots are taken. */
  demands(): Demand[]
  take(run: Pick<Run, 'topic' | 'tenantId'>): void
  free(run: Pick<Run, 'topic' | 'tenantId'>): void
  /** After which tenant a class goes on. */
  goOnAfter(priority: Priority, tenantId: string): void
  /** Whether a class with room was left before its last tenant. */
  isMidway(): boolean
}

type ClassState = {
  size: number
  batch: number
  taken: number
  after: string
  held: Map<string, number>
}

/**
 * Each class has slots of its own. A tenant may take half of what the others have left of a class,
 * and one slot at least while any is free: however many pieces it has, and however slow they are,
 * there is room for the next tenant.
 */
export function createWorkSlots(topics: readonly Topic[]): WorkSlots {
  const classes = new Map<Priority, ClassState>()
  for (const topic of topics) {
    const { priority, batch = 1 } = topicRow(topic)
    const size = PRIORITIES[priority].slots
    const known = classes.get(priority)
    if (known && known.batch !== batch) throw new Error(`${priority} has batches of several sizes`)
    classes.set(priority, { size, batch, taken: 0, after: '', held: new Map() })
  }
  const byRank = [...classes].sort(([a], [b]) => PRIORITIES[a].rank - PRIORITIES[b].rank)
  const classOf = (topic: Topic) => {
    const found = classes.get(topicRow(topic).priority)
    if (!found) throw new Error(`${topic} is not run here`)
    return found
  }

  return {
    demands() {
      return byRank.flatMap(([priority, { size, batch, taken, after, held }]) => {
        const free = size - taken
        if (free === 0) return []
        const holds = [...held].map(([tenantId, count]) => ({
          tenantId,
          share: Math.max(0, Math.floor((free - count) / 2)) * batch,
        }))
        const share = Math.max(1, Math.floor(free / 2)) * batch
        return [{ priority, after, most: free * batch, batch, share, holds }]
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

/**
 * The runs of what was claimed: batches are of one topic and one tenant. What was claimed by the
 * demands of `WorkSlots` makes no more runs than slots were free.
 */
export function toRuns(claims: readonly Claim[]): Run[] {
  const byTopic = Map.groupBy(claims, ({ topic }) => topic)
  return [...byTopic].flatMap(([topic, ofTopic]) => {
    const { batch = 1 } = topicRow(topic)
    if (batch === 1) {
      return ofTopic.map((claim) => ({ topic, tenantId: claim.tenantId, claims: [claim] }))
    }
    const byTenant = Map.groupBy(ofTopic, ({ tenantId }) => tenantId)
    return [...byTenant].flatMap(([tenantId, ofTenant]) =>
      inChunks(ofTenant, batch).map((chunk) => ({ topic, tenantId, claims: chunk })),
    )
  })
}

function inChunks<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}
