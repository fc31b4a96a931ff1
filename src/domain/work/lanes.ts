import { type Priority, TOPICS, type Topic, topicRow, type WorkTopic } from './topics.ts'

/** Work of one tenant that a job runs: items of one topic in one of eight parts, or, because deadlines
 * go in the order of their instants, all deadlines of the tenant. */
export type WorkLane = TopicLane | DeadlineLane
export type TopicLane = {
  queue: Exclude<Priority, 'deadlines'>
  tenantId: string
  topic: WorkTopic
  part: number
}
export type DeadlineLane = { queue: 'deadlines'; tenantId: string }

/** How many jobs may run items of one topic of one tenant side by side, over all workers. */
export const PARTS = 8

/** The same as `ascii(right(subject_id, 1)) % 8` in SQL: ids are ASCII, and end in a random character. */
export function partOf(subjectId: string): number {
  return (subjectId.codePointAt(subjectId.length - 1) ?? 0) % PARTS
}

export function laneOf(item: { tenantId: string; topic: Topic; subjectId: string }): WorkLane {
  return toLane({ ...item, part: partOf(item.subjectId) })
}

export function toLane(found: { tenantId: string; topic: Topic; part: number }): WorkLane {
  const { tenantId, topic, part } = found
  const { priority } = topicRow(topic)
  if (priority === 'deadlines') return { queue: priority, tenantId }
  return { queue: priority, tenantId, topic: topic as WorkTopic, part }
}

export function isTopic(text: string): text is Topic {
  return Object.hasOwn(TOPICS, text)
}
