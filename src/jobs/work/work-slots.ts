import type { Claim, Demand, Rest } from '../../domain/work/claim.ts'
import { PRIORITIES, type Priority, type Topic, topicRow } from '../../domain/work/topics.ts'

export type Run = { topic: Topic; tenantId: string; claims: readonly Claim[] }

export type WorkSlots = {
  /** Every class is to be asked from its first tenant on, after what it is in the middle of. */
  ask(): void
  /** Whether a class with room is asked or in the middle of its tenants. */
  isWanting(): boolean
  /** Of these classes, most urgent first. What is asked from now on is asked once more. */
  takeDemands(): Demand[]
  take(run: Pick<Run, 'topic' | 'tenantId'>): void
  free(run: Pick<Run, 'topic' | 'tenantId'>): void
  /** The next claim of the class starts after this tenant. Each demand is answered so, but where the
   * claim fails. */
  goOn(priority: Priority, next: { after: string; rest: Rest }): void
}

type ClassState = {
  size: number
  batch: number
  taken: number
  after: string
  isAsked: boolean
  /** Some that is ready waits for the end of a run. */
  isWaiting: boolean
  /** A run has ended since the class was last asked: what it left may be claimed by now. */
  hasEnded: boolean
  held: Map<string, number>
}

/** A tenant may take half of the free slots of a class, and at least one. */
export function createWorkSlots(topics: readonly Topic[]): WorkSlots {
  const classes = new Map<Priority, ClassState>()
  for (const topic of topics) {
    const { priority, batch = 1 } = topicRow(topic)
    const size = PRIORITIES[priority].slots
    const known = classes.get(priority)
    if (known && known.batch !== batch) throw new Error(`${priority} has batches of several sizes`)
    const state = { taken: 0, after: '', isAsked: true, isWaiting: false, hasEnded: false }
    classes.set(priority, { size, batch, ...state, held: new Map() })
  }
  const byRank = [...classes].sort(([a], [b]) => PRIORITIES[a].rank - PRIORITIES[b].rank)
  const classOf = (topic: Topic) => {
    const found = classes.get(topicRow(topic).priority)
    if (!found) throw new Error(`${topic} is not run here`)
    return found
  }

  return {
    ask() {
      for (const [, one] of byRank) one.isAsked = true
    },
    isWanting: () => byRank.some(([, one]) => isWanting(one)),
    takeDemands() {
      return byRank.flatMap(([priority, one]) => {
        if (!isWanting(one)) return []
        const { size, batch, taken, after, held } = one
        // Tenants that the class has passed may have got more, or room, since.
        if (after === '') {
          one.isAsked = false
          one.isWaiting = false
        }
        one.hasEnded = false
        const free = size - taken
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
      for (const [priority, other] of byRank) {
        // The deadlines of a tenant also wait for those that an advance of its clock runs.
        if (other !== one && priority !== 'deadlines') continue
        other.hasEnded = true
        other.isAsked ||= other.isWaiting
      }
    },
    goOn(priority, { after, rest }) {
      const one = classes.get(priority)
      if (!one) return
      one.after = after
      one.isWaiting ||= rest === 'when a run ends'
      one.isAsked ||= rest === 'claim again' || (one.isWaiting && one.hasEnded)
    },
  }
}

const isWanting = ({ isAsked, after, size, taken }: ClassState) =>
  (isAsked || after !== '') && taken < size

/** A batch is of one topic and one tenant. A class of several topics may so start more runs than it
 * had free slots; it claims no more until they are fewer. */
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
