import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import type { LockedFacility } from './locked-facility.ts'

/** Topics of work: what jobs do for facilities. The subject is a facility, a draw or a refund. */
export const UNDERWRITE_FACILITY = 'underwrite-facility' as const
export const RELEASE_DRAW = 'release-draw' as const
export const PUSH_FLOOR = 'push-floor' as const
export const PAY_REFUND = 'pay-refund' as const
export const RELEASE_LIEN = 'release-lien' as const
export const READ_POSITIONS = 'read-positions' as const
export const READ_ALONE = 'read-positions-alone' as const

/** Topic of work whose subject is the tenant: its choice of a portfolio source takes effect. */
export const APPLY_SOURCE = 'apply-portfolio-source' as const

/** Topics of work of the margin ladder, by what makes it look. The subject is the facility. */
export const EVALUATE_AFTER = {
  price: 'evaluate-after-price',
  collateral: 'evaluate-after-collateral',
  repayment: 'evaluate-after-repayment',
} as const

/** Topics of deadlines, on the tenant's domain time. */
export const DECIDE_FACILITY = 'decide-facility' as const
export const REFRESH_FLOOR = 'refresh-floor' as const

/** Has a pending facility underwritten soon after this transaction commits. */
export async function requestUnderwriting(
  { tx, tenantId, realNow }: TenantContext,
  facilityId: string,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: UNDERWRITE_FACILITY, subjectId: facilityId }, realNow)
}

/** Has the margin ladder look at a facility soon after this transaction commits. */
export async function requestEvaluation(
  { tx, tenantId, realNow }: TenantContext,
  facilityId: string,
  after: keyof typeof EVALUATE_AFTER,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: EVALUATE_AFTER[after], subjectId: facilityId }, realNow)
}

/** What new positions call for: underwriting of a pending facility, a look at an approved one. */
export const AFTER_PUSH = {
  PENDING: UNDERWRITE_FACILITY,
  APPROVED: EVALUATE_AFTER.collateral,
} as const

/** Has the lien of a facility that is closing released, once what held it may be settled. */
export async function requestLienRelease({
  tx,
  tenantId,
  facility,
  realNow,
}: LockedFacility): Promise<void> {
  if (facility.state !== 'CLOSING') return
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: facility.id }, realNow)
}
