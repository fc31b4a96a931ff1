import { Refusal } from '../../core/errors.ts'
import { addMs, type Clock, type Instant, SECOND_MS } from '../../core/time.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import { type ClockFor, moveClockTo } from '../tenants/tenant-clock.ts'
import {
  deleteAdvance,
  deleteWaiting,
  insertAdvance,
  releaseAdvance,
  selectAdvance,
} from './clock-queries.ts'
import { type DeadlineHandlers, runDeadlinesUntil } from './deadlines.ts'
import { requestWork, scheduleWorks, type WorkResult } from './work.ts'

export type ClockAdvance = { tenantId: string; request: string; target: Date }

export type ClockContext = {
  db: Db
  clock: Clock
  clockFor: ClockFor
  deadlineHandlers: DeadlineHandlers
}

/** The subject is the tenant: the worker continues an advance that its request has left. */
export const ADVANCE_CLOCK = 'advance-clock' as const

/** From a request's arrival, waiting for other advances included: a connection that is silent for 30 s
 * is closed. */
export const ADVANCE_BUDGET_MS = 20 * SECOND_MS

/** Longer than a request advances, so that the worker takes over only from a process that died. */
const TAKE_OVER_MS = 25 * SECOND_MS

const END_OF_TIME = new Date('9999-01-01T00:00:00Z')

/** The same request again joins the advance that it began. Refuses `clock_advancing` during another
 * one, and `validation_failed` after the year 9998. */
export async function beginAdvance(
  { db, clock, clockFor }: ClockContext,
  tenantId: string,
  { seconds, key }: { seconds: number; key: string },
): Promise<ClockAdvance & { isNew: boolean }> {
  const target = addMs(await clockFor(db, tenantId), seconds * SECOND_MS)
  if (target >= END_OF_TIME) {
    throw new Refusal('validation_failed', 'The clock cannot go beyond the year 9998.')
  }
  const request = `${key}/${seconds}`
  return await inTransaction(db, async (tx) => {
    const dueAt = addMs(clock(), TAKE_OVER_MS)
    const row = { tenant_id: tenantId, request, target, held_until: dueAt }
    const isNew = await insertAdvance(tx, row)
    await scheduleWorks(tx, tenantId, [{ topic: ADVANCE_CLOCK, subjectId: tenantId, dueAt }])
    const stored = await selectAdvance(tx, tenantId)
    // The other advance ended between the two statements.
    if (!stored || stored.request !== request) throw advancing()
    return { tenantId, request, target: stored.target, isNew }
  })
}

export function advancing(): Refusal {
  return new Refusal(
    'clock_advancing',
    'The clock is still on its way. GET /v1/sandbox/clock shows `goal` until it has arrived.',
  )
}

/** Leaves another request's advance alone. */
export async function endAdvance(tx: Tx, { tenantId, request }: ClockAdvance): Promise<void> {
  // The next advance waits for the commit, so the work deleted here is not its work.
  const hasEnded = await deleteAdvance(tx, tenantId, request)
  if (hasEnded) await deleteWaiting(tx, { tenantId, topic: ADVANCE_CLOCK, subjectId: tenantId })
}

export async function leaveAdvance(
  tx: Tx,
  { tenantId, request }: ClockAdvance,
  { realNow }: Instant,
): Promise<void> {
  await releaseAdvance(tx, tenantId, request)
  await requestWork(tx, { tenantId, topic: ADVANCE_CLOCK, subjectId: tenantId }, realNow)
}

export async function findTarget(db: Db, tenantId: string): Promise<Date | undefined> {
  return (await selectAdvance(db, tenantId))?.target
}

/** Goes from due instant to due instant, handling each, up to the target; stops between two at
 * `stopAt` (real time). Never goes back; after a failure the clock stays where it is. */
export async function advanceClock(
  { db, clock, clockFor, deadlineHandlers }: ClockContext,
  { tenantId, target }: Pick<ClockAdvance, 'tenantId' | 'target'>,
  stopAt: Date,
): Promise<{ now: Date; hasArrived: boolean }> {
  const from = await clockFor(db, tenantId)
  const span = { from, until: target, isOver: () => clock() >= stopAt }
  const arriveAt = async (now: Date) => {
    const realNow = clock()
    await moveClockTo(db, tenantId, now, realNow)
    return { now, realNow }
  }
  const leap = { db, handlers: deadlineHandlers, tenantId, arriveAt }
  const hasArrived = await runDeadlinesUntil(leap, span)
  if (!hasArrived) return { now: await clockFor(db, tenantId), hasArrived }
  return { now: await moveClockTo(db, tenantId, target, clock()), hasArrived }
}

/** For the worker: the request was answered or its process died. */
export async function continueAdvance(
  context: ClockContext,
  tenantId: string,
): Promise<WorkResult> {
  const { db, clock } = context
  const row = await selectAdvance(db, tenantId)
  if (!row) return { done: true }
  // An earlier advance's work may be due while a request is advancing.
  if (row.held_until && row.held_until > clock()) {
    return { done: false, retryAt: row.held_until }
  }
  const advance = { tenantId, request: row.request, target: row.target }
  const { hasArrived } = await advanceClock(context, advance, addMs(clock(), ADVANCE_BUDGET_MS))
  if (!hasArrived) return { done: false, retryAt: clock() }
  await inTransaction(db, (tx) => endAdvance(tx, advance))
  return { done: true }
}
