import { requestWorks } from '../../work/work.ts'
import { lockUnsentDraws } from '../holds/hold-queries.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { RELEASE_DRAW } from '../topics.ts'

/** The debt has grown: those that are not sent are checked again, limit included. */
export async function recheckUnsentDraws({
  tx,
  tenantId,
  facility,
  realNow,
}: LockedFacility): Promise<void> {
  const rows = await lockUnsentDraws(tx, tenantId, facility.id)
  const works = rows.map((row) => ({ topic: RELEASE_DRAW, subjectId: row.draw_id }))
  await requestWorks(tx, tenantId, works, realNow)
}
