import { addMs, type Clock, DAY_MS } from '../../core/time.ts'
import type { Db } from '../database.ts'
import { makeMonths, selectMissingMonths } from './months.ts'
import { makeSpans, selectMissingSpans } from './spans.ts'

/** Less than a caller waits. */
const PATIENCE = { attempts: 4, pauseMs: 100 }

/** For `createDatabase`. Makes what maintenance makes each hour, for a row that cannot wait for that.
 * `eventDays`: older months of the event log are not made again. */
export function partitionMaker(clock: Clock, eventDays: number): (db: Db) => Promise<void> {
  return async (db) => {
    const now = clock()
    await makeMonths(db, now, addMs(now, -eventDays * DAY_MS), PATIENCE)
    await makeSpans(db, now, PATIENCE)
  }
}

/** Tables that take no row of `now` (real time), or of the database's own clock. */
export async function findTablesWithoutPartition(db: Db, now: Date): Promise<string[]> {
  const months = await selectMissingMonths(db, now, { from: 0, to: 0 }, now)
  return [...months.map(({ base }) => base), ...(await selectMissingSpans(db, now))]
}
