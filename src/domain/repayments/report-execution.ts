import { Refusal } from '../../core/errors.ts'
import { foldReference } from '../../core/external-reference.ts'
import { withExample } from '../../core/field-errors.ts'
import { isId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import type { RepaymentFailure } from '../../db/schema/repayments.ts'
import { appendEvents } from '../events/append/append.ts'
import {
  type FacilityChange,
  type LockedFacility,
  lockFacility,
} from '../facilities/locked-facility.ts'
import { isErasedUse } from '../personal/digests.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { clearDeadline, type DeadlineHandler } from '../work/deadlines.ts'

import { requestWork } from '../work/work.ts'
import { claimReference, lockRepaymentRow, selectRepayment, updateRepayment } from './queries.ts'

import {
  EXPIRE_REPAYMENT,
  getRepayment,
  type Repayment,
  toRepayment,
  unknownRepayment,
} from './repayments.ts'

/** Topic of work: the treasury is asked. The subject is the repayment. */
export const CONFIRM_REPAYMENT = 'confirm-repayment' as const

export type ExecutionReport =
  | { status: 'completed'; delivered: Amount; reference: string }
  | { status: 'failed'; delivered: Amount | undefined; reference: string | undefined }

/** Has the treasury asked what was received. One that expired or was not received still takes a
 * completed report. Refuses `not_found`, `execution_already_reported`, `duplicate_reference`, and
 * `validation_failed` where the delivered asset is not the repayment's. */
export async function reportExecution(
  change: FacilityChange,
  repaymentId: string,
  report: ExecutionReport,
): Promise<Repayment> {
  const { tx, tenantId, facility, realNow } = change
  const repayment = await lockRepayment(change, repaymentId)
  assertReportable(repayment, report)
  assertAsset(repayment, report)
  await clearDeadline(tx, tenantId, EXPIRE_REPAYMENT, repaymentId)
  await storeReport(change, repayment, report)
  if (report.status === 'failed') {
    await appendFailure(change, repayment, 'reported_failed')
  } else {
    await requestWork(tx, { tenantId, topic: CONFIRM_REPAYMENT, subjectId: repaymentId }, realNow)
  }
  return await getRepayment(tx, tenantId, facility.id, repaymentId)
}

/** Refuses `not_found`. */
export async function lockRepayment(
  { tx, tenantId, facility }: LockedFacility,
  repaymentId: string,
): Promise<Repayment> {
  const row = isId('rep', repaymentId) && (await lockRepaymentRow(tx, tenantId, repaymentId))
  if (!row || row.facility_id !== facility.id) throw unknownRepayment()
  return toRepayment(row)
}

function assertReportable(repayment: Repayment, report: ExecutionReport): void {
  const { status, failure } = repayment
  // No money was received so far: a late or wrong report must not lose it.
  const isOpen = failure === 'expired' || failure === 'not_received'
  if (status === 'PENDING' || (isOpen && report.status === 'completed')) return
  throw new Refusal(
    'execution_already_reported',
    `The repayment is ${repayment.status}; its execution is already reported.`,
  )
}

function assertAsset(repayment: Repayment, { delivered }: ExecutionReport): void {
  const { asset } = repayment.amount
  if (delivered === undefined || delivered.asset === asset) return
  throw new Refusal('validation_failed', 'The delivered asset is not the asset of the repayment.', {
    errors: [
      {
        pointer: '/delivered/asset',
        code: 'mismatch',
        detail: withExample('Expected the asset of the repayment.', asset),
      },
    ],
  })
}

async function storeReport(
  { tx, tenantId, now }: TenantContext,
  repayment: Repayment,
  report: ExecutionReport,
): Promise<void> {
  const outcome =
    report.status === 'failed'
      ? ({ status: 'FAILED', failure_code: 'reported_failed' } as const)
      : ({ status: 'REPORTED', failure_code: null, inquiry: repayment.inquiry + 1 } as const)
  const { reference } = report
  if (reference !== undefined) await takeReference(tx, tenantId, repayment.id, reference)
  await updateRepayment(tx, tenantId, repayment, {
    ...outcome,
    delivered_units: report.delivered?.units ?? null,
    reference: reference ?? null,
    reported_at: now,
  })
}

/** Refuses `duplicate_reference`, in whatever case the reference was reported. */
async function takeReference(tx: Tx, tenantId: string, repaymentId: string, reference: string) {
  const folded = foldReference(reference)
  const row = { tenant_id: tenantId, reference, folded, repayment_id: repaymentId }
  const isClaimed = await claimReference(tx, row)
  if (isClaimed && !(await isErasedUse(tx, tenantId, 'reference', folded))) return
  throw new Refusal('duplicate_reference', 'This reference was reported for another repayment.')
}

export async function failRepayment(
  locked: LockedFacility,
  repayment: Repayment,
  code: RepaymentFailure,
): Promise<void> {
  const { tx, tenantId } = locked
  const change = { status: 'FAILED', failure_code: code } as const
  await updateRepayment(tx, tenantId, repayment, change)
  await appendFailure(locked, repayment, code)
}

async function appendFailure(
  { tx, tenantId, now }: TenantContext,
  { id, facilityId, marginWarningNumber }: Repayment,
  code: RepaymentFailure,
): Promise<void> {
  appendEvents(tx, tenantId, [
    {
      type: 'repayment.failed',
      resource: { type: 'repayment', id },
      occurredAt: now,
      data: {
        facility_id: facilityId,
        repayment_id: id,
        ...(marginWarningNumber !== undefined && { margin_warning_number: marginWarningNumber }),
        code,
      },
    },
  ])
}

export const expireRepayment: DeadlineHandler = async (db: Db, deadline, instant) => {
  const { tenantId, subjectId } = deadline
  const row = await selectRepayment(db, tenantId, subjectId)
  if (!row) return
  await inTransaction(db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, row.facility_id)
    const repayment = await lockRepayment(locked, subjectId)
    if (repayment.status === 'PENDING') await failRepayment(locked, repayment, 'expired')
  })
}
