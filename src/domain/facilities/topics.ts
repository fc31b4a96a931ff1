import type { Tx } from '../../db/database.ts'
import type { FacilityState } from '../../db/schema.ts'
import { requestWork } from '../outbox/outbox.ts'

/** Outbox topics: what jobs do for facilities. The subject is a facility, a draw or a refund. */
export const UNDERWRITE_FACILITY = 'underwrite-facility'
export const RELEASE_DRAW = 'release-draw'
export const PUSH_FLOOR = 'push-floor'
export const PAY_REFUND = 'pay-refund'
export const RELEASE_LIEN = 'release-lien'
export const READ_POSITIONS = 'read-positions'

/** Outbox topics of the margin ladder, by what makes it look. The subject is the facility. */
export const JUDGE_AFTER = {
  price: 'judge-after-price',
  collateral: 'judge-after-collateral',
  repayment: 'judge-after-repayment',
} as const

/** Deadline topics, on the tenant's domain time. */
export const DECIDE_FACILITY = 'decide-facility'
export const REFRESH_FLOOR = 'refresh-floor'

/** Has a pending facility underwritten soon after this transaction commits. */
export async function requestUnderwriting(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  realNow: Date,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: UNDERWRITE_FACILITY, subjectId: facilityId }, realNow)
}

/** Has the margin ladder look at a facility soon after this transaction commits. */
export async function requestJudgement(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  after: keyof typeof JUDGE_AFTER,
  realNow: Date,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: JUDGE_AFTER[after], subjectId: facilityId }, realNow)
}

/** What new positions call for: underwriting of a pending facility, a look at an approved one. */
export const AFTER_PUSH = {
  PENDING: UNDERWRITE_FACILITY,
  APPROVED: JUDGE_AFTER.collateral,
} as const

/** Has the lien of a facility that is closing released, once what held it may be settled. */
export async function requestLienRelease(
  tx: Tx,
  { tenantId, id, state }: { tenantId: string; id: string; state: FacilityState },
  realNow: Date,
): Promise<void> {
  if (state !== 'CLOSING') return
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: id }, realNow)
}
