import type { Tx } from '../db/database.ts'
import { inSnapshot } from '../db/transactions/snapshot.ts'
import type { TermsInForce } from '../domain/margin/policy.ts'
import type { RouteContext } from './route-context.ts'

/** One snapshot and one instant for all figures of an answer: what is booked meanwhile is in all of
 * them or in none. */
export async function readAsOfNow<T>(
  { db, clockFor, termsAt }: Pick<RouteContext, 'db' | 'clockFor' | 'termsAt'>,
  tenantId: string,
  read: (reading: { db: Tx; tenantId: string; now: Date } & TermsInForce) => Promise<T>,
): Promise<T> {
  return await inSnapshot(db, {}, async (tx) => {
    const now = await clockFor(tx, tenantId)
    return await read({ db: tx, tenantId, now, ...(await termsAt(tx, now)) })
  })
}
