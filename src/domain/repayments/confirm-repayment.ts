import { addMs, MINUTE_MS } from '../../core/time.ts'
import { type Db, inTransaction } from '../../db/database.ts'
import type { PriceFeed, Prices } from '../collateral/prices.ts'
import type { Facility } from '../facilities/facilities.ts'
import { requestFloorPush } from '../facilities/floors/floors.ts'
import { cashAccount, creditCents, unitsPaying } from '../facilities/ledger/conversion.ts'
import { type Allocation, accrue, applyPayment, totalDebtCents } from '../facilities/ledger/debt.ts'
import { transfer } from '../facilities/ledger/journal.ts'
import { selectChargedOffAt } from '../facilities/ledger/journal-queries.ts'
import { recordMovement, updateFacility } from '../facilities/ledger/ledger.ts'
import { rebook } from '../facilities/ledger/rebook.ts'
import { allocationPostings, bookReceipt } from '../facilities/ledger/receipts.ts'
import { type LockedFacility, lockFacility } from '../facilities/locked-facility.ts'
import type { Payments, Receipt } from '../facilities/ports.ts'
import { balanceRefunds } from '../facilities/refunds/balance-refunds.ts'
import { refundCents, refundInKind } from '../facilities/refunds/refunds.ts'
import { requestEvaluation, requestLienRelease } from '../facilities/topics.ts'
import { isErasedUse } from '../personal/digests.ts'
import type { InstantFor } from '../tenants/tenant-clock.ts'
import { setDeadline } from '../work/deadlines.ts'
import type { WorkResult } from '../work/work.ts'
import { applyRecovery } from './apply-recovery.ts'
import { RECEIPT_FINAL } from './become-final.ts'
import { contest, failUnpaid } from './contested.ts'
import { decideReceipt, type ReceiptDecision } from './decide-receipt.ts'
import { type ConfirmedRepayment, finishApplied, lastPrice } from './finish-applied.ts'
import {
  claimTransfer,
  countRefusedInquiry,
  insertConfirmed,
  selectRepayment,
  updateRepayment,
} from './queries.ts'
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
    const isClaimed = await claimTransfer(tx, claim)
    if (!isClaimed || (await isErasedUse(tx, tenantId, 'transfer', transferId))) {
      return await contest(locked, repayment, transferId)
    }
    await insertConfirmed(tx, claim)
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
  await applyRepayment(paying, applied, prices)
}

/** Until then the money frees nothing. */
async function awaitFinality(
  locked: LockedFacility,
  repaymentId: string,
  finalAt: Date,
): Promise<Facility> {
  const { facility } = locked
  await setFinalDeadline(locked, repaymentId, finalAt)
  const { provisionalUntil } = facility
  if (provisionalUntil && provisionalUntil >= finalAt) return facility
  await updateFacility(locked, { provisional_until: finalAt })
  return { ...facility, provisionalUntil: finalAt }
}

async function setFinalDeadline(
  { tx, tenantId }: LockedFacility,
  subjectId: string,
  dueAt: Date,
): Promise<void> {
  await setDeadline(tx, tenantId, RECEIPT_FINAL, { subjectId, dueAt })
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
  if (finalAt) await setFinalDeadline(locked, repayment.id, finalAt)
  await requestEvaluation(locked, facility.id, 'price')
  await failRepayment(locked, repayment, 'asset_mismatch')
}

/** Money that comes late, or for a debt that was repaid or charged off, is put in its place. */
async function applyRepayment(
  locked: LockedFacility,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { tx, tenantId, facility } = locked
  const { valueAt } = repayment
  const { chargedOff, closeReason, debt } = facility
  if (chargedOff) {
    const endedAt = await selectChargedOffAt(tx, tenantId, facility.id)
    if (!endedAt || valueAt >= endedAt) {
      return await applyRecovery(locked, chargedOff, repayment, prices)
    }
    return await applyLate(locked, repayment, prices)
  }
  const isLate = valueAt < debt.accruedAt || (closeReason && valueAt <= debt.accruedAt)
  if (isLate) return await applyLate(locked, repayment, prices)
  await applyInTime(locked, repayment, prices)
}

async function applyInTime(
  locked: LockedFacility,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { confirmed, valueAt } = repayment
  const cents = creditCents(confirmed, lastPrice(prices, confirmed.asset))
  const accrued = accrue(locked.facility.debt, valueAt)
  const { debt, allocation } = applyPayment(accrued, cents)
  const paid = await bookReceipt(locked, {
    cause: `repayment/${repayment.id}`,
    kind: 'repayment',
    sourceId: repayment.id,
    valueAt,
    debt,
    allocation,
    postings: [...receivedPostings(repayment, cents), ...allocationPostings(cents, allocation)],
  })
  await refundRest(paid, repayment, { cents, allocation, prices })
  await finish(paid, repayment, allocation)
}

async function applyLate(
  locked: LockedFacility,
  repayment: ConfirmedRepayment,
  prices: Prices,
): Promise<void> {
  const { id, confirmed, valueAt } = repayment
  const cents = creditCents(confirmed, lastPrice(prices, confirmed.asset))
  const event = { id: `repayment/${id}`, kind: 'receipt', valueAt, cents } as const
  const money = receivedPostings(repayment, cents)
  const { rebooked, replayed } = await rebook(locked, {
    cause: event.id,
    sourceId: id,
    add: [{ event, kind: 'repayment', sourceId: id, money }],
  })
  const allocation = replayed.stepOf(event.id)
  await refundRest(rebooked, repayment, { cents, allocation, prices })
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId: `${id}/correction`,
    priceOf: (asset) => lastPrice(prices, asset),
  })
  await finish(rebooked, repayment, allocation)
}

/** What is beyond the debt goes back as it came. */
async function refundRest(
  locked: LockedFacility,
  { id, confirmed }: ConfirmedRepayment,
  { cents, allocation, prices }: { cents: bigint; allocation: Allocation; prices: Prices },
): Promise<void> {
  const { asset, units } = confirmed
  const { refundCents: rest } = allocation
  const priceOf = (code: string) => lastPrice(prices, code)
  const left = { asset, units: units - unitsPaying(asset, cents - rest, priceOf(asset)) }
  await refundCents(locked, { sourceId: id, cents: rest, priceOf, left })
}

async function finish(
  locked: LockedFacility,
  repayment: ConfirmedRepayment,
  allocation: Allocation,
): Promise<void> {
  const { facility, now } = locked
  await requestFloorPush(locked, facility.id)
  await requestEvaluation(locked, facility.id, 'repayment')
  await finishApplied(locked, repayment, {
    allocation,
    outstandingCents: totalDebtCents(facility.debt, now),
    isRecovery: false,
  })
}
