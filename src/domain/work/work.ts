import { type Db, type Tx, wakeAfterCommit } from '../../db/database.ts'
import {
  makeWorkDue,
  type NewWork,
  selectLongestDue,
  selectRunningOrDue,
  selectWorkOn,
  upsertWork,
} from './queries.ts'
import { rankOf, type Topic, topicRow, type WorkTopic } from './topics.ts'

export type WorkItem = { tenantId: string; topic: Topic; subjectId: string }

export type WorkResult = { done: true } | { done: false; retryAt: Date }

type Requested = { tenantId: string; topic: WorkTopic; subjectId: string }

/** Committed with the change that needs it. One run for any number of requests before it starts,
 * and another for a request during the run. */
export async function requestWork(tx: Tx, work: Requested, realNow: Date): Promise<void> {
  const { tenantId, topic, subjectId } = work
  await requestWorks(tx, tenantId, [{ topic, subjectId }], realNow)
}

export async function requestWorks(
  tx: Tx,
  tenantId: string,
  works: readonly { topic: WorkTopic; subjectId: string }[],
  realNow: Date,
): Promise<void> {
  if (works.length === 0) return
  const rows = works.map((work) => ({ ...work, dueAt: realNow, isReady: true }))
  upsertWork(tx, tenantId, rows)
  for (const work of works) wakeAfterCommit(tx, { kind: 'work', tenantId, ...work })
}

/** Real time; keeps an earlier due time. Spread work by giving each item its own instant. */
export async function scheduleWorks(
  tx: Tx,
  tenantId: string,
  works: readonly { topic: WorkTopic; subjectId: string; dueAt: Date }[],
): Promise<void> {
  if (works.length === 0) return
  const rows: NewWork[] = works.map((work) => ({ ...work, isReady: false }))
  upsertWork(tx, tenantId, rows)
}

/** Only existing work; what is running runs again. Returns how many. */
export async function makeDueNow(
  tx: Tx,
  tenantId: string,
  work: { topics: readonly WorkTopic[]; subjectIds: readonly string[] },
  realNow: Date,
): Promise<number> {
  const made = await makeWorkDue(tx, tenantId, work, realNow)
  for (const item of made) wakeAfterCommit(tx, { kind: 'work', tenantId, ...item })
  return made.length
}

export async function findRunningOrDue(
  db: Db,
  tenantId: string,
  topic: WorkTopic,
  soon: Date,
): Promise<Requested[]> {
  const rows = await selectRunningOrDue(db, tenantId, topic, soon)
  return rows.map((row) => ({ tenantId, topic, subjectId: row.subject_id }))
}

export async function findWorkOn(
  db: Db,
  tenantId: string,
  topics: readonly Topic[],
  subjectIds: readonly string[],
): Promise<WorkItem[]> {
  if (topics.length === 0 || subjectIds.length === 0) return []
  const rows = await selectWorkOn(db, tenantId, topics, subjectIds)
  return rows.map((row) => ({ tenantId, topic: row.topic as Topic, subjectId: row.subject_id }))
}

/** The longest wait in milliseconds, each by its own clock; 0 when nothing is due. */
export async function measureOldestDue(
  db: Db,
  topics: readonly Topic[],
  realNow: Date,
): Promise<{ work: number; deadline: number }> {
  const isDeadline = (topic: Topic) => topicRow(topic).clock === 'tenant'
  const oldest = async (some: readonly Topic[]) => {
    const ranks = [...new Set(some.map(rankOf))]
    return Math.max(0, (await selectLongestDue(db, some, ranks, realNow)) ?? 0)
  }
  const work = await oldest(topics.filter((topic) => !isDeadline(topic)))
  return { work, deadline: await oldest(topics.filter(isDeadline)) }
}
