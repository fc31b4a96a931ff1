import type { Instant } from '../../core/time.ts'
import { type Db, type Tx, withSpan } from '../../db/database.ts'
import {
  deleteDeadline,
  deleteDeadlines,
  type NewDeadline,
  selectDueDeadlines,
  selectLongestOverdue,
  selectNextDeadline,
  upsertDeadlines,
} from './queries.ts'

/**
 * An instant of a tenant's domain time at which a subject must be looked at. The topic names who
 * looks; a subject has one deadline a topic.
 */
export type Deadline = { tenantId: string; topic: string; subjectId: string; dueAt: Date }

/**
 * Looks at a subject whose instant has come, in transactions of its own, judging by what is stored
 * and `instant.now`. It may run twice, on two processes at once, and for a deadline that has since
 * been moved: it must bear all that. A deadline that it sets anew must be later than `instant.now`.
 */
export type DeadlineHandler = (db: Db, deadline: Deadline, instant: Instant) => Promise<void>

/** Who handles which topic. Deadlines of other topics are left to the release that knows them. */
export type DeadlineHandlers = ReadonlyMap<string, DeadlineHandler>

/** Sets when a subject is to be looked at; an earlier deadline of the same topic is replaced. */
export async function setDeadline(
  tx: Tx,
  tenantId: string,
  topic: string,
  subjectId: string,
  dueAt: Date,
): Promise<void> {
  await setDeadlines(tx, tenantId, topic, [{ subjectId, dueAt }])
}

/** Sets the deadlines of many subjects, each named once. */
export async function setDeadlines(
  tx: Tx,
  tenantId: string,
  topic: string,
  deadlines: readonly NewDeadline[],
): Promise<void> {
  if (deadlines.length > 0) await upsertDeadlines(tx, tenantId, topic, deadlines)
}

/** Takes a subject's deadline back, if it has one. */
export async function clearDeadline(
  tx: Tx,
  tenantId: string,
  topic: string,
  subjectId: string,
): Promise<void> {
  await clearDeadlines(tx, tenantId, topic, [subjectId])
}

/** Takes the deadlines of many subjects back. */
export async function clearDeadlines(
  tx: Tx,
  tenantId: string,
  topic: string,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length > 0) await deleteDeadlines(tx, tenantId, topic, subjectIds)
}

/**
 * Up to `limit` deadlines that have come by their tenants' own clocks, each tenant's in the order of
 * their instants; `after` the last of the batch before.
 */
export async function findDueDeadlines(
  db: Db,
  handlers: DeadlineHandlers,
  options: { realNow: Date; limit: number; after?: Deadline | undefined },
): Promise<Deadline[]> {
  if (handlers.size === 0) return []
  const { realNow, limit, after } = options
  const rows = await selectDueDeadlines(db, [...handlers.keys()], { realNow, limit, after })
  return rows.map(toDeadline)
}

/** For how long the oldest deadline that has come waits, in milliseconds; 0 without any. */
export async function measureOldestDeadline(
  db: Db,
  handlers: DeadlineHandlers,
  realNow: Date,
): Promise<number> {
  if (handlers.size === 0) return 0
  return Math.max(0, (await selectLongestOverdue(db, [...handlers.keys()], realNow)) ?? 0)
}

/** Has a deadline handled, then clears it unless it was moved meanwhile. */
export async function runDeadline(
  db: Db,
  handlers: DeadlineHandlers,
  deadline: Deadline,
  instant: Instant,
): Promise<void> {
  const { tenantId, topic, subjectId } = deadline
  const attributes = { 'svc.tenant_id': tenantId, 'svc.subject_id': subjectId }
  await withSpan(db, `deadline ${topic}`, { attributes }, async () => {
    await handlers.get(topic)?.(db, deadline, instant)
  })
  await deleteDeadline(db, deadline, deadline.dueAt)
}

/**
 * Has a tenant's deadlines until and with `until` handled in the order of their instants, those
 * that handlers set on the way included. Before each, `arriveAt` is told the instant it is handled
 * at: its own, or `from` where that had passed already.
 */
export async function runDeadlinesUntil(
  db: Db,
  handlers: DeadlineHandlers,
  tenantId: string,
  span: { from: Date; until: Date },
  arriveAt: (now: Date) => Promise<Instant>,
): Promise<void> {
  const topics = [...handlers.keys()]
  while (topics.length > 0) {
    const row = await selectNextDeadline(db, tenantId, topics, span.until)
    if (!row) return
    const deadline = toDeadline(row)
    const now = new Date(Math.max(deadline.dueAt.getTime(), span.from.getTime()))
    await runDeadline(db, handlers, deadline, await arriveAt(now))
  }
}

function toDeadline(row: {
  tenant_id: string
  topic: string
  subject_id: string
  due_at: Date
}): Deadline {
  return {
    tenantId: row.tenant_id,
    topic: row.topic,
    subjectId: row.subject_id,
    dueAt: row.due_at,
  }
}
