import { Refusal } from '../../core/errors.ts'
import { addMs, type Clock, SECOND_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { type ClockFor, moveClockTo } from '../tenants/tenant-clock.ts'
import { type DeadlineHandlers, runDeadlinesUntil } from './deadlines.ts'

/** The last year whose timestamps have four digits is where a clock ends. */
const END_OF_TIME = new Date('9999-01-01T00:00:00Z')

/**
 * Moves a sandbox tenant's clock ahead by `seconds`, step by step: to each instant at which
 * something is due, has that handled there, and at last to the end, which is returned. Calls that
 * overlap move it to the later of their ends, never back. One that fails leaves the clock where it
 * had come to. Refuses `validation_failed` beyond the year 9998.
 */
export async function advanceClock(
  db: Db,
  handlers: DeadlineHandlers,
  tenantId: string,
  seconds: number,
  { clock, clockFor }: { clock: Clock; clockFor: ClockFor },
): Promise<Date> {
  const from = await clockFor(db, tenantId)
  const until = addMs(from, seconds * SECOND_MS)
  if (until >= END_OF_TIME) {
    throw new Refusal('validation_failed', 'The clock cannot go beyond the year 9998.')
  }
  await runDeadlinesUntil(db, handlers, tenantId, { from, until }, async (now) => {
    const realNow = clock()
    await moveClockTo(db, tenantId, now, realNow)
    return { now, realNow }
  })
  return await moveClockTo(db, tenantId, until, clock())
}
