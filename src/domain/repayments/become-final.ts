import { type Db, inTransaction } from '../../db/database.ts'
import { requestFloorPush } from '../facilities/floors/floors.ts'
import { lockFacility } from '../facilities/locked-facility.ts'
import { requestPayableRefunds } from '../facilities/refunds/refunds.ts'
import { requestLienRelease } from '../facilities/topics.ts'
import type { DeadlineHandler } from '../work/deadlines.ts'
import { selectRepayment } from './queries.ts'

/** The subject is the repayment. */
export const RECEIPT_FINAL = 'receipt-final' as const

/** What waited until the money of a repayment could no longer be taken back goes on. */
export const becomeFinal: DeadlineHandler = async (db: Db, { tenantId, subjectId }, instant) => {
  const row = await selectRepayment(db, tenantId, subjectId)
  if (!row) return
  await inTransaction(db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, row.facility_id)
    await requestFloorPush(locked, locked.facility.id)
    await requestPayableRefunds(locked)
    await requestLienRelease(locked)
  })
}
