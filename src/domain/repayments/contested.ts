import { Refusal } from '../../core/errors.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import { requestEvaluation, requestLienRelease } from '../facilities/topics.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import { selectClaims, updateRepayment } from './queries.ts'
import { findRepayment, type Repayment, unknownRepayment } from './repayments.ts'
import { CONFIRM_REPAYMENT, failRepayment, lockRepayment } from './report-execution.ts'

// A transfer pays once in the stack. A second repayment for which the treasury answers with the same
// transfer stays REPORTED, and is not asked about again until an operator decides. So does one whose
// transfer is far beyond the claim and in another asset: that transfer has paid nothing.

/** The transfer, and the repayment that it has paid, of whatever tenant. */
export type Contested = { transferId: string; paidFor: string | undefined }

export async function contest(
  { tx, tenantId, now }: TenantContext,
  repayment: Repayment,
  transferId: string,
): Promise<void> {
  const change = { contested_transfer: transferId, undecided_since: now }
  await updateRepayment(tx, tenantId, repayment, change)
}

const DECIDED = { contested_transfer: null, undecided_since: null }

/** Has the treasury asked again, under the next number. Refuses `not_found`, and
 * `validation_failed` unless the repayment is contested. */
export async function askAgain(tenant: TenantContext, repaymentId: string): Promise<Contested> {
  const { tx, tenantId, realNow } = tenant
  const { repayment, contested } = await lockContested(tenant, repaymentId)
  await updateRepayment(tx, tenantId, repayment, { ...DECIDED, inquiry: repayment.inquiry + 1 })
  await requestWork(tx, { tenantId, topic: CONFIRM_REPAYMENT, subjectId: repaymentId }, realNow)
  return contested
}

/** Fails the repayment as `not_received`; it still takes the report of a transfer of its own.
 * Refuses as `askAgain`. */
export async function refuseClaim(tenant: TenantContext, repaymentId: string): Promise<Contested> {
  const { locked, repayment, contested } = await lockContested(tenant, repaymentId)
  await updateRepayment(tenant.tx, tenant.tenantId, repayment, DECIDED)
  await failUnpaid(locked, repayment)
  return contested
}

/** Nothing was received for it. An escalation or a release may have waited for this. */
export async function failUnpaid(locked: LockedFacility, repayment: Repayment): Promise<void> {
  await requestLienRelease(locked)
  await requestEvaluation(locked, locked.facility.id, 'price')
  await failRepayment(locked, repayment, 'not_received')
}

async function lockContested(tenant: TenantContext, repaymentId: string) {
  const found = await findRepayment(tenant.tx, tenant.tenantId, repaymentId)
  if (!found) throw unknownRepayment()
  const locked = await lockFacility(tenant, found.facilityId)
  const repayment = await lockRepayment(locked, repaymentId)
  const transferId = repayment.contestedTransfer
  if (transferId === undefined) {
    const detail = `No transfer is contested for ${repaymentId}: there is nothing to decide.`
    throw new Refusal('validation_failed', detail)
  }
  const [paid] = await selectClaims(tenant.tx, [transferId])
  // It claims a transfer itself that was an erased borrower's.
  const paidFor = paid?.repayment_id === repaymentId ? undefined : paid?.repayment_id
  return { locked, repayment, contested: { transferId, paidFor } }
}
