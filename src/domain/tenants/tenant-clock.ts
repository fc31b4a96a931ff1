import { addMs, type Clock, type Instant } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { raiseClockOffset, selectClockOffset } from './queries.ts'

/**
 * The domain time of a tenant: what deadlines, interest and eligibility are judged by. On the live
 * stack it is real time; on the sandbox a tenant's own clock may run ahead of it.
 */
export type ClockFor = (db: Db, tenantId: string) => Promise<Date>

/** The instant of a tenant: its domain time, and real time. */
export type InstantFor = (tenantId: string) => Promise<Instant>

/** Makes the clock of a stack. Real time comes from `clock`. */
export function createClockFor(stack: 'live' | 'sandbox', clock: Clock): ClockFor {
  if (stack === 'live') return async () => clock()
  return async (db, tenantId) => {
    const offset = await selectClockOffset(db, tenantId)
    return addMs(clock(), Number(offset ?? 0n))
  }
}

/**
 * Sets a tenant's clock ahead so that it shows `to` when real time is `realNow`, and returns what it
 * shows then: later than `to` where it was ahead already, for it never goes back. The sandbox's
 * alone.
 */
export async function moveClockTo(
  db: Db,
  tenantId: string,
  to: Date,
  realNow: Date,
): Promise<Date> {
  const offset = await raiseClockOffset(db, tenantId, BigInt(to.getTime() - realNow.getTime()))
  return addMs(realNow, Number(offset))
}
