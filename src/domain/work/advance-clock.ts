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

/** A sandbox tenant's clock on its way, and the request that has sent it: its key and seconds. */
export type ClockAdvance = { tenantId: string; request: string; target: Date }

export type ClockContext = {
  db: Db
  clock: Clock
  clockFor: ClockFor
  deadlineHandlers: DeadlineHandlers
}

/** Topic of work whose subject is the tenant: takes an advance further that its request has left. */
export const ADVANCE_CLOCK = 'advance-clock' as const

/** A request, or a run of the worker, takes a clock further for so long. */
export const ADVANCE_BUDGET_MS = 20 * SECOND_MS

/** Later than any request still advances: the worker then takes over from a process that died. */
const TAKE_OVER_MS = 25 * SECOND_MS

/** The last year whose timestamps have four digits is where a clock ends. */
const END_OF_TIME = new Date('9999-01-01T00:00:00Z')

/**
 * Begins to set a tenant's clock ahead by `seconds`. The same request again, beside the first or after
 * it broke off, joins the advance that it began: it goes to the same instant. Refuses
 * `clock_advancing` while another one is under way, and `validation_failed` beyond the year 9998.
 */
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
    // Another one has ended between the two statements: there is none to join.
    if (!stored || stored.request !== request) throw advancing()
    return { tenantId, request, target: stored.target, isNew }
  })
}

function advancing(): Refusal {
  return new Refusal(
    'clock_advancing',
    'The clock is still on its way. GET /v1/sandbox/clock shows `goal` until it has arrived.',
  )
}

/**
 * Ends an advance, whether its clock has arrived or was never to be moved. Another request's advance
 * is left alone.
 */
export async function endAdvance(tx: Tx, { tenantId, request }: ClockAdvance): Promise<void> {
  // Until this commits the next advance waits, so that the work deleted here is not the next one's.
  const hasEnded = await deleteAdvance(tx, tenantId, request)
  if (hasEnded) await deleteWaiting(tx, { tenantId, topic: ADVANCE_CLOCK, subjectId: tenantId })
}

/** Leaves an advance to the worker, which takes it further soon after this transaction commits. */
export async function leaveAdvance(
  tx: Tx,
  { tenantId, request }: ClockAdvance,
  { realNow }: Instant,
): Promise<void> {
  await releaseAdvance(tx, tenantId, request)
  await requestWork(tx, { tenantId, topic: ADVANCE_CLOCK, subjectId: tenantId }, realNow)
}

/** Where the tenant's clock is going; undefined while it is not on its way. */
export async function findGoal(db: Db, tenantId: string): Promise<Date | undefined> {
  return (await selectAdvance(db, tenantId))?.target
}

/**
 * Moves a sandbox tenant's clock ahead to its target, step by step: to each instant at which something
 * is due, has that handled there, and at last to the target. Stops between two steps at `stopAt` (real
 * time). Gives what the clock then shows, and whether it has arrived. It is never set back, and one
 * that fails leaves it where it had come to.
 */
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

/** Takes a clock further whose request has been answered, or has died; for the worker. */
export async function continueAdvance(
  context: ClockContext,
  tenantId: string,
): Promise<WorkResult> {
  const { db, clock } = context
  const row = await selectAdvance(db, tenantId)
  if (!row) return { done: true }
  // The work of an earlier advance may be due while a request is at this one.
  if (row.held_until && row.held_until > clock()) {
    return { done: false, retryAt: row.held_until }
  }
  const advance = { tenantId, request: row.request, target: row.target }
  const { hasArrived } = await advanceClock(context, advance, addMs(clock(), ADVANCE_BUDGET_MS))
  if (!hasArrived) return { done: false, retryAt: clock() }
  await inTransaction(db, (tx) => endAdvance(tx, advance))
  return { done: true }
}
