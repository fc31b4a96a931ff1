import { type Priority, type Topic, topicRow, type WorkTopic } from './topics.ts'

/** Work of one tenant that a job runs: items of one topic in one of eight parts, or, because deadlines
 * go in the order of their instants, all deadlines of the tenant. */
export type WorkLane =
  | { queue: Exclude<Priority, 'deadlines'>; tenantId: string; topic: WorkTopic; part: number }
  | { queue: 'deadlines'; tenantId: string }

/** How many jobs may run items of one topic of one tenant side by side, over all workers. */
export const PARTS = 8

/** As `ascii(right(subject_id, 1)) % 8` in SQL. Ids end in random characters. */
export function partOf(subjectId: string): number {
  return (subjectId.codePointAt(subjectId.length - 1) ?? 0) % PARTS
}

export function laneOf(item: { tenantId: string; topic: Topic; subjectId: string }): WorkLane {
  const { tenantId, topic, subjectId } = item
  const { clock, priority } = topicRow(topic)
  if (clock === 'tenant' || priority === 'deadlines') return { queue: 'deadlines', tenantId }
  return { queue: priority, tenantId, topic: topic as WorkTopic, part: partOf(subjectId) }
}
