import type { CursorCodec } from '../../core/cursor.ts'
import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import { type Amount, isMoneyAsset, MONEY_ASSETS } from '../../core/money.ts'
import { listPage, mapPage, type Page, type PageRequest } from '../../core/page.ts'
import { addMs, DAY_MS } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { RepaymentFailure } from '../../db/schema/repayments.ts'
import { hasDeficit } from '../facilities/closing/recover.ts'
import { hasCompletedDraw } from '../facilities/draws/draw-queries.ts'
import { type FacilityKey, getFacility } from '../facilities/facilities.ts'
import type { LendingContext } from '../facilities/lending-context.ts'
import type { FacilityChange } from '../facilities/locked-facility.ts'
import { notApproved } from '../facilities/not-approved.ts'
import { selectMarginState } from '../facilities/queries.ts'
import { setDeadline } from '../work/deadlines.ts'
import { insertRepayment, selectRepayment, selectRepayments } from './queries.ts'

export type Repayment = {
  id: string
  facilityId: string
  marginWarningNumber: number | undefined
  /** Recorded as a cure because a warning was open, though the tenant named none. */
  inferred: boolean
  status: 'PENDING' | 'REPORTED' | 'APPLIED' | 'FAILED' | 'REVERSED'
  amount: Amount
  /** Reported by the tenant; received by the treasury; how it was applied. */
  delivered: Amount | undefined
  confirmed: Amount | undefined
  allocation: { interestCents: bigint; principalCents: bigint; refundCents: bigint } | undefined
  /** Applied to a debt that was charged off. */
  isRecovery: boolean
  reference: string | undefined
  failure: RepaymentFailure | undefined
  /** The number under which the treasury is asked: each report and each refusal raises it. */
  inquiry: number
  requestedAt: Date
  reportedAt: Date | undefined
  appliedAt: Date | undefined
  /** The treasury's transfer, which pays another repayment: an operator decides. */
  contestedTransfer: string | undefined
  /** From when the confirmed money counts. */
  valueAt: Date | undefined
  /** Until then what was received can be taken back. */
  finalAt: Date | undefined
  /** The treasury has answered since that it was not. */
  finalityAt: Date | undefined
  /** Received far beyond the claim, until operators decide. */
  inSuspense: Amount | undefined
  suspenseReturns: number
  /** The repayment from whose suspense this one pays. */
  splitFrom: string | undefined
  /** The transfer that paid it was returned. */
  returned: { code: string; at: Date; bookedAt: Date } | undefined
}

/** What is in suspense holds an escalation this long from the treasury's answer: two operators, who
 * work by day, decide within it. */
export const SUSPENSE_HOLD_MS = DAY_MS

export const EXPIRE_REPAYMENT = 'expire-repayment' as const

export type NewRepayment = { amount: Amount; marginWarningNumber: number | undefined }

/** Refuses `facility_not_approved` where nothing was drawn, or the facility is closed and nothing
 * is left to recover; `unsupported_asset`, and `margin_warning_not_open`. */
export async function createRepayment(
  { tx, tenantId, facility, policy, now }: FacilityChange<LendingContext>,
  repayment: NewRepayment,
): Promise<Repayment> {
  const { id: facilityId } = facility
  const { state } = facility
  if (state !== 'APPROVED' && state !== 'CLOSING' && !hasDeficit(facility)) throw notApproved(state)
  if (!isMoneyAsset(repayment.amount.asset)) {
    throw new Refusal('unsupported_asset', `Repayments are made in ${MONEY_ASSETS.join(' or ')}.`)
  }
  if (!(await hasCompletedDraw(tx, tenantId, facilityId))) {
    throw nothingDrawn()
  }
  const { openWarning } = await selectMarginState(tx, tenantId, facilityId)
  const named = repayment.marginWarningNumber
  if (named !== undefined && named !== openWarning) {
    throw new Refusal('margin_warning_not_open', `Margin warning ${named} is not open.`)
  }
  const repaymentId = newId('rep')
  await insertRepayment(tx, {
    tenant_id: tenantId,
    repayment_id: repaymentId,
    facility_id: facilityId,
    margin_warning_number: openWarning ?? null,
    inferred: openWarning !== undefined && named === undefined,
    status: 'PENDING',
    asset: repayment.amount.asset,
    amount_units: repayment.amount.units,
    requested_at: now,
  })
  const expiresAt = addMs(now, policy.repaymentPatienceMs)
  await setDeadline(tx, tenantId, EXPIRE_REPAYMENT, {
    subjectId: repaymentId,
    dueAt: expiresAt,
  })
  return await getRepayment(tx, tenantId, facilityId, repaymentId)
}

/** Nothing is owed, and there is no destination to return money to. */
export function nothingDrawn(): Refusal {
  const detail = 'Nothing was drawn on the facility yet: there is nothing to repay.'
  return new Refusal('facility_not_approved', detail)
}

/** Refuses `not_found`. */
export async function getRepayment(
  db: Db,
  tenantId: string,
  facilityId: string,
  repaymentId: string,
): Promise<Repayment> {
  const repayment = await findRepayment(db, tenantId, repaymentId)
  if (repayment?.facilityId !== facilityId) throw unknownRepayment()
  return repayment
}

/** Of any facility. */
export async function findRepayment(
  db: Db,
  tenantId: string,
  repaymentId: string,
): Promise<Repayment | undefined> {
  const row = isId('rep', repaymentId)
    ? await selectRepayment(db, tenantId, repaymentId)
    : undefined
  return row && toRepayment(row)
}

/** Newest first. Refuses `not_found`, `cursor_invalid`. */
export async function listRepayments(
  db: Db,
  { tenantId, facilityId }: FacilityKey,
  request: PageRequest,
  cursors: CursorCodec,
): Promise<Page<Repayment>> {
  await getFacility(db, tenantId, facilityId)
  const context = `repayments/${tenantId}/${facilityId}`
  const page = await listPage(
    { request, cursors, context, parseKey: String },
    (stretch) => selectRepayments(db, tenantId, facilityId, stretch),
    (row) => row.repayment_id,
  )
  return mapPage(page, toRepayment)
}

export function unknownRepayment(): Refusal {
  return new Refusal('not_found', 'There is no such repayment.')
}

export function toRepayment(
  row: NonNullable<Awaited<ReturnType<typeof selectRepayment>>>,
): Repayment {
  const amountOf = (asset: string | null, units: bigint | null) =>
    asset === null || units === null ? undefined : { asset, units }
  return {
    id: row.repayment_id,
    facilityId: row.facility_id,
    marginWarningNumber: row.margin_warning_number ?? undefined,
    inferred: row.inferred,
    status: row.status,
    amount: { asset: row.asset, units: row.amount_units },
    delivered: amountOf(row.asset, row.delivered_units),
    confirmed: amountOf(row.confirmed_asset, row.confirmed_units),
    allocation:
      row.interest_cents === null || row.principal_cents === null || row.refund_cents === null
        ? undefined
        : {
            interestCents: row.interest_cents,
            principalCents: row.principal_cents,
            refundCents: row.refund_cents,
          },
    isRecovery: row.is_recovery,
    reference: row.reference ?? undefined,
    failure: row.failure_code ?? undefined,
    inquiry: row.inquiry,
    requestedAt: row.requested_at,
    reportedAt: row.reported_at ?? undefined,
    appliedAt: row.applied_at ?? undefined,
    contestedTransfer: row.contested_transfer ?? undefined,
    valueAt: row.value_at ?? undefined,
    finalAt: row.final_at ?? undefined,
    finalityAt: row.finality_at ?? undefined,
    inSuspense:
      row.suspended_units > 0n && row.suspense_end === null
        ? amountOf(row.confirmed_asset, row.suspended_units)
        : undefined,
    suspenseReturns: row.suspense_returns,
    splitFrom: row.split_from ?? undefined,
    returned:
      row.return_code !== null && row.returned_at && row.reversed_at
        ? { code: row.return_code, at: row.returned_at, bookedAt: row.reversed_at }
        : undefined,
  }
}
