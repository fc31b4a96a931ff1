import type { Instant } from '../../core/time.ts'
import type { Db, Tx } from '../../db/database.ts'
import { takeDeadline } from './claim.ts'
import {
  deleteDeadlines,
  type NewDeadline,
  selectNextDeadline,
  upsertDeadlines,
} from './deadline-queries.ts'
import { type RunContext, runClaimed } from './run-work.ts'
import { settleAtOnce } from './settle.ts'
import { type DeadlineTopic, isOnceALeap } from './topics.ts'

/**
 * An instant of a tenant's domain time at which a subject is to be handled. The topic names the
 * handler; a subject has one deadline a topic.
 */
export type Deadline = {
  tenantId: string
  topic: DeadlineTopic
  subjectId: string
  dueAt: Date
}

/**
 * Handles a subject whose instant has come, in transactions of its own, by what is stored and by
 * `instant.now`. It may run twice, on two processes at once, and for a deadline that has since been
 * moved: it must allow all that. A deadline that it sets again must be later than `instant.now`.
 */
export type DeadlineHandler = (db: Db, deadline: Deadline, instant: Instant) => Promise<void>

/** What handles which topic. Deadlines of other topics are left to the release that knows them. */
export type DeadlineHandlers = ReadonlyMap<DeadlineTopic, DeadlineHandler>

/** Sets when a subject is to be handled; an earlier deadline of the same topic is replaced. */
export async function setDeadline(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadline: NewDeadline,
): Promise<void> {
  await setDeadlines(tx, tenantId, topic, [deadline])
}

/** Sets the deadlines of many subjects, each named once. */
export async function setDeadlines(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  deadlines: readonly NewDeadline[],
): Promise<void> {
  if (deadlines.length > 0) await upsertDeadlines(tx, tenantId, topic, deadlines)
}

/** Deletes a subject's deadline, if it has one. */
export async function clearDeadline(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  subjectId: string,
): Promise<void> {
  await clearDeadlines(tx, tenantId, topic, [subjectId])
}

/** Deletes the deadlines of many subjects. */
export async function clearDeadlines(
  tx: Tx,
  tenantId: string,
  topic: DeadlineTopic,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length > 0) await deleteDeadlines(tx, tenantId, topic, subjectIds)
}

/** What a tenant's clock takes along when it is set ahead: each instant is arrived at, then handled. */
export type LeapContext = {
  db: Db
  handlers: DeadlineHandlers
  tenantId: string
  arriveAt: (now: Date) => Promise<Instant>
}

/**
 * Handles a tenant's deadlines until and with `until` in the order of their instants, those that
 * handlers set on the way included; what is handled once a leap comes last, at `until`. `arriveAt` is
 * given the instant of each before it is handled: its own, or `from` where that had passed already.
 * One that a worker is running is taken from it: its lease is over, and what it would settle is left
 * alone. Ends with the error of one that fails. Returns false where `isOver` has stopped it.
 */
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
