import { inSnapshot, type Tx } from '../db/database.ts'
import type { RouteContext } from './route-context.ts'

/** One snapshot and one instant for all figures of an answer: what is booked meanwhile is in all of
 * them or in none. */
export async function readAsOfNow<T>(
  { db, clockFor }: Pick<RouteContext, 'db' | 'clockFor'>,
  tenantId: string,
  read: (reading: { db: Tx; tenantId: string; now: Date }) => Promise<T>,
): Promise<T> {
  return await inSnapshot(db, {}, async (tx) =>
    read({ db: tx, tenantId, now: await clockFor(tx, tenantId) }),
  )
}
