import type { Instant } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { takeDeadline } from './claim.ts'
import {
  deleteDeadlines,
  insertDeadlineIfAbsent,
  type NewDeadline,
  selectNextDeadline,
  upsertDeadlines,
} from './deadline-queries.ts'
import { type RunContext, runClaimed } from './run-work.ts'
import { settleAtOnce } from './settle.ts'
import { type DeadlineTopic, isOnceALeap } from './topics.ts'

/** An instant of domain time; a subject has one deadline a topic. */
export type Deadline = {
  tenantId: string
  topic: DeadlineTopic
  subjectId: string
  dueAt: Date
}

/** Opens its own transactions and decides by what is stored and by `instant.now`. It may run twice,
 * concurrently, and for a deadline that has moved. A new deadline must be after `instant.now`. */
export type DeadlineHandler = (db: Db, deadline: Deadline, instant: Instant) => Promise<void>

/** Deadlines of other topics wait for a release that has their handler. */
export type DeadlineHandlers = ReadonlyMap<DeadlineTopic, DeadlineHandler>

export async function setDeadline(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadline: NewDeadline,
): Promise<void> {
  await setDeadlines(tx, tenantId, topic, [deadline])
}

export async function setDeadlines(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadlines: readonly NewDeadline[],
): Promise<void> {
  if (deadlines.length > 0) upsertDeadlines(tx, tenantId, topic, deadlines)
}

/** For a deadline that many set and that sets itself again: no caller waits for its row. */
export async function ensureDeadline(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadline: NewDeadline,
): Promise<void> {
  await insertDeadlineIfAbsent(tx, tenantId, topic, deadline)
}

export async function clearDeadline(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  subjectId: string,
): Promise<void> {
  await clearDeadlines(tx, tenantId, topic, [subjectId])
}

export async function clearDeadlines(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length > 0) tx.send(deleteDeadlines({ tenantId, topic, subjectIds }))
}

export type LeapContext = {
  db: Db
  handlers: DeadlineHandlers
  tenantId: string
  arriveAt: (now: Date) => Promise<Instant>
}

/** Up to and including `until`, in order, with those that handlers set on the way; topics handled
 * once come last. `arriveAt` gets the instant of each, or `from` if that is later. Takes deadlines
 * from a worker that runs them. Throws a handler's error; false when `isOver` stopped it. */
export async function runDeadlinesUntil(
  context: LeapContext,
  span: { from: Date; until: Date; isOver: () => boolean },
): Promise<boolean> {
  const [stepped, once] = partition([...context.handlers.keys()], isOnceALeap)
  const hasStepped = await runTopics(context, stepped, span, ({ dueAt }) =>
    latest(dueAt, span.from),
  )
  return hasStepped && (await runTopics(context, once, span, () => latest(span.until, span.from)))
}

function latest(a: Date, b: Date): Date {
  return a > b ? a : b
}

function partition<T>(items: readonly T[], isSecond: (item: T) => boolean): [T[], T[]] {
  return [items.filter((item) => !isSecond(item)), items.filter(isSecond)]
}

async function runTopics(
  { db, handlers, tenantId, arriveAt }: LeapContext,
  topics: readonly DeadlineTopic[],
  span: { until: Date; isOver: () => boolean },
  instantOf: (deadline: Deadline) => Date,
): Promise<boolean> {
  while (topics.length > 0) {
    if (span.isOver()) return false
    const row = await selectNextDeadline(db, tenantId, topics, span.until)
    if (!row) return true
    const topic = row.topic as DeadlineTopic
    const deadline = { tenantId, topic, subjectId: row.subject_id, dueAt: row.due_at }
    const instant = await arriveAt(instantOf(deadline))
    const claim = await takeDeadline(db, deadline, instant.realNow)
    // Moved or cleared since it was read.
    if (!claim) continue
    const context: RunContext = { db, clock: () => instant.realNow, settle: settleAtOnce(db) }
    await runClaimed(context, claim, async () => {
      await handlers.get(topic)?.(db, deadline, instant)
      return { done: true }
    })
  }
  return true
}
