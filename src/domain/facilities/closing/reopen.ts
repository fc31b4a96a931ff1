import { requestWork } from '../../work/work.ts'
import { requestFloorPush } from '../floors/floors.ts'
import { updateFacility } from '../ledger/ledger.ts'
import type { LockedFacility } from '../locked-facility.ts'
import { RELEASE_LIEN, requestEvaluation } from '../topics.ts'

/** What was closing or closed as repaid, and is not: CLOSING is APPROVED again, and with a release that
 * was sent once its recall is refused. CLOSED is charged off; its end was reported already. */
export async function reopen(locked: LockedFacility): Promise<LockedFacility> {
  const { tx, tenantId, facility, now, realNow } = locked
  if (facility.state === 'CLOSED') {
    await updateFacility(locked, { close_reason: 'charged_off' })
    return { ...locked, facility: { ...facility, closeReason: 'charged_off' } }
  }
  if (facility.state !== 'CLOSING') return locked
  if (facility.releaseSentAt) {
    await updateFacility(locked, { release_recalled_at: facility.releaseRecalledAt ?? now })
    const work = { tenantId, topic: RELEASE_LIEN, subjectId: facility.id } as const
    await requestWork(tx, work, realNow)
    return locked
  }
  return await approveAgain(locked)
}

/** As if it had never begun to close. */
export async function approveAgain(locked: LockedFacility): Promise<LockedFacility> {
  const { facility } = locked
  const unsent = { release_sent_at: null, release_recalled_at: null }
  await updateFacility(locked, { state: 'APPROVED', close_reason: null, ...unsent })
  await requestFloorPush(locked, facility.id)
  await requestEvaluation(locked, facility.id, 'price')
  return { ...locked, facility: { ...facility, state: 'APPROVED', closeReason: undefined } }
}
