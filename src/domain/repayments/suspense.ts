import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Amount } from '../../core/money.ts'
import { cashAccount, moneyIn } from '../facilities/ledger/conversion.ts'
import { type Posting, transfer } from '../facilities/ledger/journal.ts'
import { recordMovement } from '../facilities/ledger/ledger.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import { selectMarginState } from '../facilities/queries.ts'
import { assertDestination } from '../facilities/refunds/redirect-refund.ts'
import { refundInKind } from '../facilities/refunds/refunds.ts'
import { requestEvaluation } from '../facilities/topics.ts'
import { ensureBorrowerKey } from '../personal/borrower-key.ts'
import type { TenantContext } from '../tenants/tenant-context.ts'
import { requestWork } from '../work/work.ts'
import type { ConfirmedRepayment } from './finish-applied.ts'
import { insertRepayment, updateRepayment } from './queries.ts'
import { findRepayment, unknownRepayment } from './repayments.ts'
import { CONFIRM_REPAYMENT, lockRepayment } from './report-execution.ts'

// What was received far beyond what was claimed stays in suspense until two operators decide: it is
// applied, as a repayment of its own, or returned.

/** Books what was received beyond the claim. It pays nothing yet. */
export async function suspend(
  locked: LockedFacility,
  repaymentId: string,
  { amount, valueAt }: { amount: Amount; valueAt: Date },
): Promise<void> {
  const { asset, units } = amount
  await moveSuspense(locked, {
    cause: `suspended/${repaymentId}`,
    kind: 'suspense',
    valueAt,
    postings: transfer('suspense', cashAccount(asset), asset, units),
  })
}

/** Lines of the money that a repayment pays with. That of a part is in suspense already. */
export function receivedPostings(
  { confirmed, splitFrom }: Pick<ConfirmedRepayment, 'confirmed' | 'splitFrom'>,
  cents: bigint,
): Posting[] {
  const lines = moneyIn(confirmed, cents)
  const cash = cashAccount(confirmed.asset)
  if (splitFrom === undefined) return lines
  return lines.map((line) => (line.account === cash ? { ...line, account: 'suspense' } : line))
}

/** Makes it a repayment of its own, which the worker applies at the receipt's value date; until then
 * it is REPORTED. Refuses `not_found`, and `validation_failed` with nothing in suspense. */
export async function applySuspense(tenant: TenantContext, repaymentId: string): Promise<Amount> {
  const { locked, repayment, amount } = await lockSuspense(tenant, repaymentId)
  const { tx, tenantId, now, realNow } = locked
  await updateRepayment(tx, tenantId, repayment, { ...DECIDED, suspense_end: 'applied' })
  const { openWarning } = await selectMarginState(tx, tenantId, locked.facility.id)
  const partId = newId('rep')
  await insertRepayment(tx, {
    tenant_id: tenantId,
    repayment_id: partId,
    facility_id: locked.facility.id,
    split_from: repaymentId,
    margin_warning_number: openWarning ?? null,
    inferred: openWarning !== undefined,
    status: 'REPORTED',
    asset: amount.asset,
    amount_units: amount.units,
    delivered_units: amount.units,
    value_at: repayment.valueAt ?? now,
    final_at: repayment.finalAt ?? null,
    requested_at: now,
    reported_at: repayment.reportedAt ?? now,
  })
  await requestWork(tx, { tenantId, topic: CONFIRM_REPAYMENT, subjectId: partId }, realNow)
  return amount
}

/** Pays it back to a destination, once the receipt is final. Refuses as `applySuspense`, and
 * `validation_failed` for a destination that cannot be read. */
export async function returnSuspense(
  tenant: TenantContext,
  repaymentId: string,
  destination: string,
): Promise<Amount> {
  assertDestination(destination)
  const { locked, repayment, amount } = await lockSuspense(tenant, repaymentId)
  const { tx, tenantId, facility, now } = locked
  await updateRepayment(tx, tenantId, repayment, { ...DECIDED, suspense_end: 'returned' })
  const { asset, units } = amount
  const cents = asset === 'USD' ? units : 0n
  const owing = await moveSuspense(locked, {
    cause: numbered(`returned/${repaymentId}`, repayment.suspenseReturns),
    kind: 'suspense_return',
    valueAt: now,
    owedCents: cents,
    postings: transfer('refunds_payable', 'suspense', asset, units),
  })
  const row = { repayment_id: repaymentId, suspense_returns: repayment.suspenseReturns }
  const sourceId = suspenseSource(row)
  const payableAt = repayment.finalAt
  const key = await ensureBorrowerKey(tx, { tenantId, borrowerId: facility.borrowerId })
  const sealed = key.seal(destination, 'destination')
  await refundInKind(owing, { sourceId, amount, cents, destination: sealed, payableAt })
  // An escalation may have waited for this decision.
  await requestEvaluation(locked, facility.id, 'price')
  return amount
}

/** Of the refund of what was in suspense. A payout that came back is followed by another. */
export function suspenseSource(row: { repayment_id: string; suspense_returns: number }): string {
  return numbered(`${row.repayment_id}/suspense`, row.suspense_returns)
}

const numbered = (id: string, times: number) => (times === 0 ? id : `${id}/${times + 1}`)

const DECIDED = { undecided_since: null }

type SuspenseMovement = {
  cause: string
  kind: string
  valueAt: Date
  /** What becomes owed back, in dollars. */
  owedCents?: bigint
  postings: readonly Posting[]
}

async function moveSuspense(
  locked: LockedFacility,
  { owedCents = 0n, ...movement }: SuspenseMovement,
): Promise<LockedFacility> {
  const { debt, reservedCents, refundDueCents: before } = locked.facility
  const refundDueCents = before + owedCents
  return await recordMovement(locked, { ...movement, debt, reservedCents, refundDueCents })
}

async function lockSuspense(tenant: TenantContext, repaymentId: string) {
  const found = await findRepayment(tenant.tx, tenant.tenantId, repaymentId)
  if (!found) throw unknownRepayment()
  const locked = await lockFacility(tenant, found.facilityId)
  const repayment = await lockRepayment(locked, repaymentId)
  const amount = repayment.inSuspense
  if (!amount) {
    throw new Refusal('validation_failed', `Nothing of ${repaymentId} is in suspense.`)
  }
  return { locked, repayment, amount }
}
