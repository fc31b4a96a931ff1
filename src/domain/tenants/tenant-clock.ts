import { addMs, type Clock, type Instant } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { raiseClockOffset, selectClockOffset } from './queries.ts'

/** Domain time: real time on live, on the sandbox possibly ahead. */
export type ClockFor = (db: Db, tenantId: string, known?: KnownOffset) => Promise<Date>

/** Read by another statement of the same transaction. */
export type KnownOffset = { clockOffsetMs: bigint | undefined }

export type InstantFor = (tenantId: string) => Promise<Instant>

export function createClockFor(stack: 'live' | 'sandbox', clock: Clock): ClockFor {
  if (stack === 'live') return async () => clock()
  return async (db, tenantId, known) => {
    const offset = known?.clockOffsetMs ?? (await selectClockOffset(db, tenantId))
    return addMs(clock(), Number(offset ?? 0n))
  }
}

/** Returns the clock's time, later than `to` if it was ahead: it never goes back. */
export async function moveClockTo(
  db: Db,
  tenantId: string,
  to: Date,
  realNow: Date,
): Promise<Date> {
  const offset = await raiseClockOffset(db, tenantId, BigInt(to.getTime() - realNow.getTime()))
  return addMs(realNow, Number(offset))
}
