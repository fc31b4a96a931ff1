import { addMs, type Clock } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { selectClockOffset } from './queries.ts'

/**
 * The domain time of a tenant: what deadlines, interest and eligibility are judged by. On the live
 * stack it is real time; on the sandbox a tenant's own clock may run ahead of it.
 */
export type ClockFor = (db: Db, tenantId: string) => Promise<Date>

/** Makes the clock of a stack. Real time comes from `clock`. */
export function createClockFor(stack: 'live' | 'sandbox', clock: Clock): ClockFor {
  if (stack === 'live') return async () => clock()
  return async (db, tenantId) => {
    const offset = await selectClockOffset(db, tenantId)
    return addMs(clock(), Number(offset ?? 0n))
  }
}
