import type { Instant } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { Facility } from '../facilities/facilities.ts'
import { changeState } from '../facilities/ledger.ts'
import { RELEASE_LIEN } from '../facilities/topics.ts'
import { writeOff } from '../facilities/write-off.ts'
import { requestWork } from '../outbox/outbox.ts'

/**
 * Writes off the debt of a facility that is sold out: interest stops, the facility goes to CLOSING
 * `charged_off` and its lien is released. Returns what was written off, in cents.
 */
export async function chargeOff(
  tx: Tx,
  locked: Facility,
  { now, realNow }: Instant,
): Promise<bigint> {
  const { tenantId, id } = locked
  const { facility, cents } = await writeOff(tx, locked, 'charge_off', now)
  const change = { state: 'CLOSING' as const, close_reason: 'charged_off' as const }
  await changeState(tx, facility, 'APPROVED', change, now)
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: id }, realNow)
  return cents
}
