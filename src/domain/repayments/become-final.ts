import { type Db, inTransaction } from '../../db/database.ts'
import { requestFloorPush } from '../facilities/floors/floors.ts'
import { updateFacility } from '../facilities/ledger/ledger.ts'
import type { LockedFacility } from '../facilities/locked-facility.ts'
import { requestPayableRefunds } from '../facilities/refunds/refunds.ts'
import { CHECK_PAYMENT, requestLienRelease } from '../facilities/topics.ts'
import type { DeadlineHandler } from '../work/deadlines.ts'
import { requestWork } from '../work/work.ts'
import { selectNextFinality, updateFinality } from './queries.ts'
import type { Repayment } from './repayments.ts'

/** The subject is the repayment. */
export const RECEIPT_FINAL = 'receipt-final' as const

/** The treasury is asked whether the money has come back. Until it answers that it has not, nothing is
 * freed. */
export const becomeFinal: DeadlineHandler = async (db: Db, { tenantId, subjectId }, instant) => {
  const work = { tenantId, topic: CHECK_PAYMENT, subjectId } as const
  await inTransaction(db, (tx) => requestWork(tx, work, instant.realNow))
}

/** Past its date and not come back: what waited for that goes on. */
export async function confirmFinality(
  locked: LockedFacility,
  { id, finalAt, finalityAt }: Repayment,
): Promise<void> {
  const { tx, tenantId, now } = locked
  if (!finalAt || finalityAt || finalAt > now) return
  await updateFinality(tx, tenantId, id, now)
  const settled = await awaitNextFinality(locked)
  await requestFloorPush(settled, settled.facility.id)
  await requestPayableRefunds(settled)
  await requestLienRelease(settled)
}

/** Of what was received and may come back, the last. */
export async function awaitNextFinality(locked: LockedFacility): Promise<LockedFacility> {
  const { tx, tenantId, facility } = locked
  const until = await selectNextFinality(tx, tenantId, facility.id)
  await updateFacility(locked, { provisional_until: until ?? null })
  return { ...locked, facility: { ...facility, provisionalUntil: until } }
}
