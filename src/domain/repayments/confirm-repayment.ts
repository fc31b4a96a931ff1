import { addMs, MINUTE_MS } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import type { PriceFeed, Prices } from '../collateral/prices.ts'
import type { Facility } from '../facilities/facilities.ts'
import { requestFloorPush } from '../facilities/floors/floors.ts'
import { cashAccount } from '../facilities/ledger/conversion.ts'
import { totalDebtCents } from '../facilities/ledger/debt.ts'
import { creditCents, unitsPaying } from '../facilities/ledger/dollar-value.ts'
import { transfer } from '../facilities/ledger/journal.ts'
import { recordMovement, updateFacility } from '../facilities/ledger/ledger.ts'
import { allocationPostings, bookReceipt, refundOf } from '../facilities/ledger/receipts.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import type { Payments, Receipt } from '../facilities/ports.ts'
import { refundCents, refundInKind } from '../facilities/refunds/refunds.ts'
import { requestEvaluation, requestLienRelease } from '../facilities/topics.ts'
import type { InstantFor } from '../tenants/tenant-clock.ts'
import { setDeadline } from '../work/deadlines.ts'
import type { WorkResult } from '../work/work.ts'
import { allocate } from './allocate.ts'
import { applyRecovery } from './apply-recovery.ts'
import { RECEIPT_FINAL } from './become-final.ts'
import { contest, failUnpaid } from './contested.ts'
import { decideReceipt, type ReceiptDecision } from './decide-receipt.ts'
import { type ConfirmedRepayment, finishApplied, lastPrice } from './finish-applied.ts'
import { claimTransfer, countRefusedInquiry, selectRepayment, updateRepayment } from './queries.ts'
import { type Repayment, toRepayment } from './repayments.ts'
import { failRepayment, lockRepayment } from './report-execution.ts'
import { receivedPostings, suspend } from './suspense.ts'

export type ConfirmContext = {
  db: Db
  payments: Payments
  prices: PriceFeed
  instant: InstantFor
}

const FIRST_RETRY_MS = MINUTE_MS
const LONGEST_RETRY_MS = 10 * MINUTE_MS

/** Applies exactly what the treasury received under the reference, once. Nothing received fails the
 * repayment; another asset fails it too and is sent back. */
export async function confirmRepayment(
  context: ConfirmContext,
  tenantId: string,
  repaymentId: string,
): Promise<WorkResult> {
  const row = await selectRepayment(context.db, tenantId, repaymentId)
  const repayment = row && toRepayment(row)
  if (repayment?.status !== 'REPORTED' || !repayment.delivered) return { done: true }
  if (repayment.splitFrom !== undefined) {
    await settlePart(context, tenantId, repayment)
    return { done: true }
  }
  if (!repayment.reference || repayment.contestedTransfer !== undefined) return { done: true }
  const { realNow } = await context.instant(tenantId)
  const answer = await context.payments.confirmReceipt({
    tenantId,
    callId: `${repaymentId}/${repayment.inquiry}`,
    reference: repayment.reference,
    claimed: repayment.delivered,
    realNow,
  })
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused' && answer.retryable) {
    await countRefusedInquiry(context.db, tenantId, repaymentId, repayment.inquiry)
    return { done: false, retryAt: addMs(realNow, retryDelayMs(repayment.inquiry)) }
  }
  const receipt = answer.status === 'done' ? answer.receipt : undefined
  await settleReceipt(context, tenantId, repayment, receipt)
  return { done: true }
}

/** 1, 2, 4, 8, then 10 minutes. The first report is asked about under number 1. */
function retryDelayMs(inquiry: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** Math.min(inquiry - 1, 20), LONGEST_RETRY_MS)
}

/** Once: a late or repeated answer changes nothing. A transfer that pays another repayment, of any
 * tenant, leaves this one to an operator, and so does far too much in another asset. */
export async function settleReceipt(
  context: Pick<ConfirmContext, 'db' | 'prices' | 'instant'>,
  tenantId: string,
  { id, facilityId, inquiry }: Pick<Repayment, 'id' | 'facilityId' | 'inquiry'>,
  receipt: Receipt | undefined,
): Promise<void> {
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, facilityId)
    const repayment = await lockRepayment(locked, id)
    if (repayment.status !== 'REPORTED' || repayment.inquiry !== inquiry) return
    if (repayment.contestedTransfer !== undefined) return
    const decision = decideReceipt(repayment, receipt, locked)
    if (!receipt || decision.kind === 'nothing') return await failUnpaid(locked, repayment)
    const { transferId } = receipt
    if (decision.kind === 'doubt') return await contest(locked, repayment, transferId)
    const claim = { tenant_id: tenantId, transfer_id: transferId, repayment_id: id }
    if (!(await claimTransfer(tx, claim))) return await contest(locked, repayment, transferId)
    await requestLienRelease(locked)
    await carryOut(locked, repayment, decision, context.prices)
  })
}

/** What operators have taken out of suspense pays as its receipt would have. */
async function settlePart(
  context: Pick<ConfirmContext, 'db' | 'prices' | 'instant'>,
  tenantId: string,
  { id, facilityId }: Repayment,
): Promise<void> {
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, facilityId)
    const part = await lockRepayment(locked, id)
    const { status, amount: confirmed, valueAt, finalAt } = part
    if (status !== 'REPORTED' || !valueAt) return
    await requestLienRelease(locked)
    const decision = { kind: 'pay', confirmed, suspended: undefined, valueAt, finalAt } as const
    await carryOut(locked, part, decision, context.prices)
  })
}

async function carryOut(
  locked: LockedFacility,
  repayment: Repayment,
  decision: Extract<ReceiptDecision, { valueAt: Date }>,
  priceFeed: PriceFeed,
): Promise<void> {
  const { tx, tenantId, now } = locked
  const { valueAt, finalAt } = decision
  const received = decision.kind === 'pay' ? decision.confirmed : decision.received
  await updateRepayment(tx, tenantId, repayment, {
    confirmed_asset: received.asset,
    confirmed_units: received.units,
    value_at: valueAt,
    final_at: finalAt ?? null,
  })
  if (decision.kind === 'return') return await sendBack(locked, repayment, decision)
  const { confirmed, suspended } = decision
  const facility = finalAt ? await awaitFinality(locked, repayment.id, finalAt) : locked.facility
  const paying = { ...locked, facility }
  if (suspended) await suspend(paying, repayment.id, { amount: suspended, valueAt })
  const prices = await priceFeed.latest(tx, tenantId, now)
  const applied = { ...repayment, confirmed, valueAt, finalAt, inSuspense: suspended }
  const { chargedOff } = facility
  if (chargedOff) await applyRecovery(paying, chargedOff, applied, prices)
  else await applyRepayment(paying, applied, prices)
}

/** Until then the money frees nothing. */
async function awaitFinality(
  locked: LockedFacility,
  repaymentId: string,
  finalAt: Date,
): Promise<Facility> {
  const { tx, tenantId, facility } = locked
  await setDeadline(tx, tenantId, RECEIPT_FINAL, { subjectId: repaymentId, dueAt: finalAt })
  const { provisionalUntil } = facility
  if (provisionalUntil && provisionalUntil >= finalAt) return facility
  await updateFacility(locked, { provisional_until: finalAt })
  return { ...facility, provisionalUntil: finalAt }
}

async function sendBack(
  locked: LockedFacility,
  repayment: Repayment,
  { received, valueAt, finalAt }: Extract<ReceiptDecision, { kind: 'return' }>,
): Promise<void> {
  const { facility } = locked
  const cents = received.asset === 'USD' ? received.units : 0n
  await recordMovement(locked, {
    cause: `repayment/${repayment.id}`,
    kind: 'misdelivery',
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents + cents,
    valueAt,
    postings: transfer('suspense', cashAccount(received.asset), received.asset, received.units),
    further: [
      {
        id: `suspense/${repayment.id}`,
        kind: 'misdelivery_refund',
        postings: transfer('refunds_payable', 'suspense', received.asset, received.units),
      },
    ],
  })
  await refundInKind(locked, {
    sourceId: repayment.id,
    amount: received,
    cents,
    payableAt: finalAt,
  })
  await requestEvaluation(locked, facility.id, 'price')
  await failRepayment(locked, repayment, 'asset_mismatch')
}

async function applyRepayment(
  locked: LockedFacility,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { facility, now } = locked
  const { confirmed, valueAt } = repayment
  const priceOf = (asset: string) => lastPrice(prices, asset)
  const cents = creditCents(confirmed, priceOf(confirmed.asset))
  const { debt, allocation, corrections } = await allocate(locked, { cents, valueAt })
  const paid = await bookReceipt(locked, {
    cause: `repayment/${repayment.id}`,
    kind: 'repayment',
    sourceId: repayment.id,
    valueAt,
    debt,
    allocation,
    corrections,
    postings: [...receivedPostings(repayment, cents), ...allocationPostings(cents, allocation)],
  })
  const { asset, units } = confirmed
  const spent = unitsPaying(asset, cents - allocation.refundCents, priceOf(asset))
  const left = { asset, units: units - spent }
  const refund = { sourceId: repayment.id, cents: allocation.refundCents, priceOf, left }
  await refundCents(paid, refund)
  const corrected = {
    sourceId: `${repayment.id}/correction`,
    cents: refundOf(corrections),
    priceOf,
  }
  await refundCents(paid, corrected)
  await requestFloorPush(locked, facility.id)
  await requestEvaluation(locked, facility.id, 'repayment')
  await finishApplied(locked, repayment, {
    allocation,
    outstandingCents: totalDebtCents(debt, now),
    isRecovery: false,
  })
}
