import { Refusal } from '../../core/errors.ts'
import { withExample } from '../../core/field-errors.ts'
import { addMs, type Clock, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type ClockFor, moveClockTo } from '../tenants/tenant-clock.ts'
import { deleteDeadlines, insertDeadlineIfAbsent } from './deadline-queries.ts'
import { type DeadlineHandlers, runDeadlinesUntil } from './deadlines.ts'
import type { Topic } from './topics.ts'

/** The instant to which a sandbox tenant's clock is on its way. */
export type ClockTarget = {
  tenantId: string
  until: Date
  /** Under which it is noted for a retry. */
  subjectId: string
}

/** The goals of requests under way stand beside the deadlines, under a topic that nobody handles. */
const CLOCK_GOAL = 'clock-goal' satisfies Topic

/** The last year whose timestamps have four digits is where a clock ends. */
const END_OF_TIME = new Date('9999-01-01T00:00:00Z')

/**
 * Decides where a clock goes that is to be set ahead by `seconds`, and notes it under the request's
 * key: a retry, beside the request or after it broke off, goes to the same instant and not further.
 * Refuses `validation_failed` beyond the year 9998.
 */
export async function setClockTarget(
  db: Db,
  clockFor: ClockFor,
  tenantId: string,
  { seconds, key }: { seconds: number; key: string },
): Promise<ClockTarget> {
  const until = addMs(await clockFor(db, tenantId), seconds * SECOND_MS)
  if (until >= END_OF_TIME) {
    throw new Refusal('validation_failed', 'The clock cannot go beyond the year 9998.', {
      errors: [
        {
          pointer: '/advance_seconds',
          code: 'out_of_range',
          detail: withExample('Expected a clock that stays before the year 9999.', 0),
        },
      ],
    })
  }
  const subjectId = `${key}/${seconds}`
  const noted = { tenantId, topic: CLOCK_GOAL, subjectId } as const
  return { tenantId, until: await insertDeadlineIfAbsent(db, noted, until), subjectId }
}

/** Drops the note of a goal, once its request's answer is recorded. */
export async function forgetClockTarget(
  db: Db,
  { tenantId, subjectId }: ClockTarget,
): Promise<void> {
  await deleteDeadlines(db, tenantId, CLOCK_GOAL, [subjectId])
}

/**
 * Moves a sandbox tenant's clock ahead to its goal, step by step: to each instant at which something
 * is due, has that handled there, and at last to the goal. Returns what the clock then shows. Calls
 * that overlap move it to the later of their goals, never back. One that fails leaves the clock
 * where it had come to.
 */
export async function advanceClock(
  db: Db,
  handlers: DeadlineHandlers,
  { tenantId, until }: ClockTarget,
  { clock, clockFor }: { clock: Clock; clockFor: ClockFor },
): Promise<Date> {
  const from = await clockFor(db, tenantId)
  await runDeadlinesUntil(db, handlers, tenantId, { from, until }, async (now) => {
    const realNow = clock()
    await moveClockTo(db, tenantId, now, realNow)
    return { now, realNow }
  })
  return await moveClockTo(db, tenantId, until, clock())
}
