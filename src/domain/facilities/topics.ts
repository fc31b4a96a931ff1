import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import type { LockedFacility } from './locked-facility.ts'

/** The subject of work is a facility, a draw or a refund. */
export const UNDERWRITE_FACILITY = 'underwrite-facility' as const
export const RELEASE_DRAW = 'release-draw' as const
export const PUSH_FLOOR = 'push-floor' as const
export const PAY_REFUND = 'pay-refund' as const
/** A payment that was done is asked about again. The subject is a repayment, a draw or a refund. */
export const CHECK_PAYMENT = 'check-payment' as const
export const RELEASE_LIEN = 'release-lien' as const
export const READ_POSITIONS = 'read-positions' as const
/** Until a write-off that is proposed has ended. */
export const READ_FOR_WRITE_OFF = 'read-for-write-off' as const
export const READ_ALONE = 'read-positions-alone' as const
export const CONFIRM_PUSH = 'confirm-push' as const
/** Nothing waits for this answer. */
export const CHECK_PUSH = 'check-push' as const

/** The subject is the tenant. */
export const APPLY_SOURCE = 'apply-portfolio-source' as const

/** Evaluations by what causes them. The subject is the facility. */
export const EVALUATE_AFTER = {
  price: 'evaluate-after-price',
  collateral: 'evaluate-after-collateral',
  repayment: 'evaluate-after-repayment',
  correction: 'evaluate-after-correction',
} as const

export const DECIDE_FACILITY = 'decide-facility' as const
export const REFRESH_FLOOR = 'refresh-floor' as const

/** The subject is the tenant. */
export const ACCRUE_INTEREST = 'accrue-interest' as const

export async function requestUnderwriting(
  { tx, tenantId, realNow }: TenantContext,
  facilityId: string,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: UNDERWRITE_FACILITY, subjectId: facilityId }, realNow)
}

export async function requestEvaluation(
  { tx, tenantId, realNow }: TenantContext,
  facilityId: string,
  after: keyof typeof EVALUATE_AFTER,
): Promise<void> {
  await requestWork(tx, { tenantId, topic: EVALUATE_AFTER[after], subjectId: facilityId }, realNow)
}

export const AFTER_PUSH = {
  PENDING: UNDERWRITE_FACILITY,
  APPROVED: EVALUATE_AFTER.collateral,
} as const

export async function requestLienRelease({
  tx,
  tenantId,
  facility,
  realNow,
}: LockedFacility): Promise<void> {
  if (facility.state !== 'CLOSING') return
  await requestWork(tx, { tenantId, topic: RELEASE_LIEN, subjectId: facility.id }, realNow)
}
