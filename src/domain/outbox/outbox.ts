import { randomUUID } from 'node:crypto'
import { addMs, MINUTE_MS, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx, wakeAfterCommit, withSpan } from '../../db/database.ts'
import {
  claimWork,
  finishWork,
  hastenWorks,
  type NewWork,
  postponeWork,
  selectDueWork,
  selectOldestDue,
  selectWorkAtHand,
  selectWorkOn,
  upsertWorks,
} from './queries.ts'

/** What a job has to look at. The topic names the job; the subject is the id of a thing of ours. */
export type WorkItem = { tenantId: string; topic: string; subjectId: string }

/** How a run of the work ended: done, or to be looked at again at a known instant. */
export type WorkResult = { done: true } | { done: false; lookAgainAt: Date }

/** A run ends within this time; after it the item is anyone's again. */
const LEASE_MS = 30 * SECOND_MS

const FIRST_RETRY_MS = 2 * SECOND_MS
const LONGEST_RETRY_MS = 10 * MINUTE_MS

/**
 * Asks, as part of this transaction, for work on a subject: once, however often it is asked for
 * before the job runs. Committed with the change, it survives every crash; Redis only speeds it up.
 * `dueAt` and everything else in the outbox is real time.
 */
export async function requestWork(tx: Tx, item: WorkItem, dueAt: Date): Promise<void> {
  const { tenantId, topic, subjectId } = item
  await requestWorks(tx, tenantId, [{ topic, subjectId, dueAt }])
}

/** Asks for many pieces of work at once, each named once. */
export async function requestWorks(
  tx: Tx,
  tenantId: string,
  works: readonly NewWork[],
): Promise<void> {
  if (works.length === 0) return
  await upsertWorks(tx, tenantId, works)
  for (const { topic, subjectId } of works) {
    wakeAfterCommit(tx, { kind: 'outbox', tenantId, topic, subjectId })
  }
}

/**
 * Has work that waits done now, and only work that was asked for before: how many pieces there were.
 */
export async function askNow(
  tx: Tx,
  tenantId: string,
  topics: readonly string[],
  subjectIds: readonly string[],
  realNow: Date,
): Promise<number> {
  const rows = await hastenWorks(tx, tenantId, topics, subjectIds, realNow)
  for (const { topic, subject_id: subjectId } of rows) {
    wakeAfterCommit(tx, { kind: 'outbox', tenantId, topic, subjectId })
  }
  return rows.length
}

/**
 * Claims an item, runs it and settles it; returns false when somebody else has it or nothing is
 * due. A run that throws is retried with a growing pause, for ever: the work was promised. A run
 * may happen twice (a worker that stalls past its lease), so what it does must bear that.
 */
export async function runWork(
  db: Db,
  item: WorkItem,
  now: () => Date,
  run: () => Promise<WorkResult>,
): Promise<boolean> {
  const token = randomUUID()
  const claimedAt = now()
  const until = addMs(claimedAt, LEASE_MS)
  const claim = await claimWork(db, item, { token, now: claimedAt, until })
  if (!claim) return false
  const span = {
    parent: claim.traceparent ?? undefined,
    kind: 'consumer' as const,
    attributes: { 'svc.tenant_id': item.tenantId, 'svc.subject_id': item.subjectId },
  }
  return await withSpan(db, `work ${item.topic}`, span, () =>
    runClaimed(db, item, { ...claim, token }, now, run),
  )
}

async function runClaimed(
  db: Db,
  item: WorkItem,
  claim: { token: string; generation: bigint; attempts: number },
  now: () => Date,
  run: () => Promise<WorkResult>,
): Promise<boolean> {
  const { token, generation } = claim
  try {
    const result = await run()
    if (result.done) {
      await inTransaction(db, async (tx) => {
        const { again } = await finishWork(tx, item, { token, generation, now: now() })
        if (again) wakeAfterCommit(tx, { kind: 'outbox', ...item })
      })
    } else {
      const dueAt = result.lookAgainAt
      const pause = { token, generation, now: now(), dueAt, attempts: 0, error: undefined }
      await postponeWork(db, item, pause)
    }
    return true
  } catch (error) {
    const attempts = claim.attempts + 1
    const failedAt = now()
    const dueAt = addMs(failedAt, Math.min(retryDelayMs(attempts), longestPauseMs(error)))
    const name = error instanceof Error ? error.name : 'unknown'
    await postponeWork(db, item, { token, generation, now: failedAt, dueAt, attempts, error: name })
    throw error
  }
}

/** An error may say (`longestPauseMs`) that its cause can pass at any time, and asking is cheap. */
function longestPauseMs(error: unknown): number {
  const said =
    error instanceof Error && 'longestPauseMs' in error ? error.longestPauseMs : undefined
  return typeof said === 'number' ? said : LONGEST_RETRY_MS
}

/** 2 s, 4 s, 8 s, … up to 10 minutes. */
function retryDelayMs(attempts: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_RETRY_MS)
}

/** What a tenant's outbox holds of a topic that somebody is running, or that is due by `soon`. */
export async function findWorkAtHand(
  db: Db,
  tenantId: string,
  topic: string,
  soon: Date,
): Promise<WorkItem[]> {
  const rows = await selectWorkAtHand(db, tenantId, topic, soon)
  return rows.map((row) => ({ tenantId, topic, subjectId: row.subject_id }))
}

/** What a tenant's outbox holds of these topics for these subjects, due, running or not. */
export async function findWorkOn(
  db: Db,
  tenantId: string,
  topics: readonly string[],
  subjectIds: readonly string[],
): Promise<WorkItem[]> {
  if (topics.length === 0 || subjectIds.length === 0) return []
  const rows = await selectWorkOn(db, tenantId, topics, subjectIds)
  return rows.map((row) => ({ tenantId, topic: row.topic, subjectId: row.subject_id }))
}

/**
 * Up to `limit` items of these topics that are due, longest overdue first: what the sweeper runs.
 * Other topics are left to the release that knows them, and take nobody's place here.
 */
export async function findDueWork(
  db: Db,
  topics: readonly string[],
  due: { now: Date; limit: number },
): Promise<WorkItem[]> {
  const rows = await selectDueWork(db, topics, due)
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    topic: row.topic,
    subjectId: row.subject_id,
  }))
}

/** For how long the work of these topics that is due has waited at most, in milliseconds; 0 without. */
export async function measureOldestWork(
  db: Db,
  topics: readonly string[],
  now: Date,
): Promise<number> {
  const oldest = await selectOldestDue(db, topics)
  return oldest ? Math.max(0, now.getTime() - oldest.due_at.getTime()) : 0
}
