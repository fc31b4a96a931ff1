import { type Db, type Tx, wakeAfterCommit } from '../../db/database.ts'
import {
  makeWorkDue,
  type NewWork,
  selectRunningOrDue,
  selectWorkOn,
  upsertWork,
} from './queries.ts'
import type { Topic, WorkTopic } from './topics.ts'

/** A piece of work: what its topic does to one subject, the id of a thing of ours. */
export type WorkItem = { tenantId: string; topic: Topic; subjectId: string }

/** How a run ended: done, or due again at a known instant of real time. */
export type WorkResult = { done: true } | { done: false; retryAt: Date }

type Requested = { tenantId: string; topic: WorkTopic; subjectId: string }

/**
 * Asks, as part of this transaction, for work on a subject at once: one run, however often it is
 * asked for before that starts, and another if it is asked for during the run. Committed with the
 * change that asks for it, it survives every crash.
 */
export async function requestWork(tx: Tx, work: Requested, realNow: Date): Promise<void> {
  const { tenantId, topic, subjectId } = work
  await requestWorks(tx, tenantId, [{ topic, subjectId }], realNow)
}

/** Asks for many pieces of work at once, each named once. */
export async function requestWorks(
  tx: Tx,
  tenantId: string,
  works: readonly { topic: WorkTopic; subjectId: string }[],
  realNow: Date,
): Promise<void> {
  if (works.length === 0) return
  const rows = works.map((work) => ({ ...work, dueAt: realNow, isReady: true }))
  await upsertWork(tx, tenantId, rows)
  for (const { topic } of works) wakeAfterCommit(tx, { kind: 'work', topic })
}

/**
 * Asks for work at later instants of real time, each piece named once. What is due sooner already
 * stays so. Many pieces that need not run together are spread by giving each an instant of its own.
 */
export async function scheduleWorks(
  tx: Tx,
  tenantId: string,
  works: readonly { topic: WorkTopic; subjectId: string; dueAt: Date }[],
): Promise<void> {
  if (works.length === 0) return
  const rows: NewWork[] = works.map((work) => ({ ...work, isReady: false }))
  await upsertWork(tx, tenantId, rows)
}

/**
 * Makes work that waits, and only work that was asked for before, due now: how many pieces there
 * were. What is running runs again.
 */
export async function makeDueNow(
  tx: Tx,
  tenantId: string,
  work: { topics: readonly WorkTopic[]; subjectIds: readonly string[] },
  realNow: Date,
): Promise<number> {
  const topics = await makeWorkDue(tx, tenantId, work, realNow)
  for (const topic of topics) wakeAfterCommit(tx, { kind: 'work', topic })
  return topics.length
}

/** The work of a topic that is running for a tenant, or due by `soon` (real time). */
export async function findRunningOrDue(
  db: Db,
  tenantId: string,
  topic: WorkTopic,
  soon: Date,
): Promise<Requested[]> {
  const rows = await selectRunningOrDue(db, tenantId, topic, soon)
  return rows.map((row) => ({ tenantId, topic, subjectId: row.subject_id }))
}

/** The work of these topics on these subjects, due, running or not. */
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
