import { type Amount, formatAmount } from '../../../core/money.ts'
import type { SealedText } from '../../../core/sealing.ts'
import { addMs, type Instant, laterOf } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import { clearDoubt, type DoubtReason, noteDoubt } from '../../facilities/doubts/doubts.ts'
import { selectDraw } from '../../facilities/draws/draw-queries.ts'
import { toDraw } from '../../facilities/draws/draws.ts'
import { type LockedFacility, lockFacility } from '../../facilities/locked-facility.ts'
import type { PaymentAnswer, Payments, Receipt, Returned } from '../../facilities/ports.ts'
import { toCall } from '../../facilities/refunds/pay-refund.ts'
import { type RefundRow, selectRefundRow } from '../../facilities/refunds/refund-queries.ts'
import { openDestination } from '../../personal/borrower-key.ts'
import { ERASED_PREFIX } from '../../personal/digests.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { WorkResult } from '../../work/work.ts'
import { confirmFinality } from '../become-final.ts'
import { selectRepayment } from '../queries.ts'
import { type Repayment, toRepayment } from '../repayments.ts'
import { returnDraw } from './return-draw.ts'
import { selectTransfer } from './return-queries.ts'
import { returnReceipt } from './return-receipt.ts'
import { returnRefund } from './return-refund.ts'

export type CheckContext = { db: Db; payments: Payments; prices: PriceFeed; instant: InstantFor }

/** What comes back of a movement: by the tenant's clock, never before the movement and never ahead. */
export type ReturnedMoney = { amount: Amount; code: string; at: Date }

/** Asks about a payment that was done once more, as often as it is requested. As before, nothing changes.
 * Money that has come back is booked, once; any other answer is for the operators. The subject is a
 * repayment, a draw or a refund. */
export async function checkPayment(
  context: CheckContext,
  tenantId: string,
  subjectId: string,
): Promise<WorkResult> {
  const subject = await findSubject(context.db, tenantId, subjectId)
  if (!subject) return { done: true }
  const { realNow } = await context.instant(tenantId)
  const destination = await findDestination(context.db, tenantId, subject)
  // Money of someone who is erased is on no way any more.
  if (destination === undefined) return { done: true }
  const answer = await ask(context.payments, subject, { tenantId, realNow, destination })
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, subject.facilityId)
    const reason = findDoubt(subject, answer)
    if (reason) {
      const about = { subjectId: subject.id, facilityId: subject.facilityId }
      return await noteDoubt(locked, { ...about, reason, answer: describe(answer) })
    }
    await clearDoubt(locked, subject.id)
    if (answer.status === 'returned') await settle(context, locked, subject, answer)
    else if (subject.kind === 'receipt') await confirmFinality(locked, subject.repayment)
  })
  return { done: true }
}

/** Whether it can come back still. */
export async function isPaymentDone(db: Db, tenantId: string, id: string): Promise<boolean> {
  return (await findSubject(db, tenantId, id)) !== undefined
}

type Answer = PaymentAnswer<{ receipt?: Receipt | undefined; reference?: string }>

type Subject = { id: string; facilityId: string; movedAt: Date; amount: Amount } & (
  | { kind: 'receipt'; repayment: Repayment; transferId: string }
  | { kind: 'draw'; destination: SealedText; reference: string; isRecalled: boolean }
  | { kind: 'refund'; destination: SealedText; refund: RefundRow }
)

/** Undefined where nothing was done, or it has come back already. */
async function findSubject(db: Db, tenantId: string, id: string): Promise<Subject | undefined> {
  switch (id.slice(0, 3)) {
    case 'rep':
      return await findReceipt(db, tenantId, id)
    case 'drw': {
      const row = await selectDraw(db, tenantId, id)
      const draw = row && toDraw(row)
      if (draw?.status !== 'COMPLETED' || !draw.completedAt) return undefined
      const { facilityId, amount, destination, reference = '', completedAt: movedAt } = draw
      const isRecalled = draw.recalledAt !== undefined
      return { kind: 'draw', id, facilityId, movedAt, amount, destination, reference, isRecalled }
    }
    case 'rfd': {
      const refund = await selectRefundRow(db, tenantId, id)
      if (refund?.status !== 'PAID' || !refund.paid_at) return undefined
      const { facility_id: facilityId, paid_at: movedAt } = refund
      const { amount } = toCall(refund)
      const { destination } = refund
      return { kind: 'refund', id, facilityId, movedAt, amount, destination, refund }
    }
    default:
      return undefined
  }
}

/** A part of a receipt is asked about as the receipt. */
async function findReceipt(db: Db, tenantId: string, id: string): Promise<Subject | undefined> {
  const row = await selectRepayment(db, tenantId, id)
  if (!row) return undefined
  if (row.split_from) return await findReceipt(db, tenantId, row.split_from)
  const repayment = toRepayment(row)
  if (!repayment.confirmed || !repayment.valueAt || repayment.returned) return undefined
  const transferId = await selectTransfer(db, tenantId, id)
  if (transferId === undefined) return undefined
  const { facilityId, confirmed, valueAt: movedAt } = repayment
  const amount = { ...confirmed, units: confirmed.units + row.suspended_units }
  return { kind: 'receipt', id, facilityId, movedAt, amount, repayment, transferId }
}

/** Empty for a receipt. Undefined where the borrower is erased. */
async function findDestination(
  db: Db,
  tenantId: string,
  subject: Subject,
): Promise<string | undefined> {
  if (subject.kind === 'receipt') {
    return subject.transferId.startsWith(ERASED_PREFIX) ? undefined : ''
  }
  const { facilityId, destination } = subject
  return await openDestination(db, { tenantId, facilityId }, destination)
}

async function ask(
  payments: Payments,
  subject: Subject,
  { destination, ...call }: { tenantId: string; realNow: Date; destination: string },
): Promise<Answer> {
  switch (subject.kind) {
    case 'receipt': {
      const { id, inquiry, reference = '', delivered, amount } = subject.repayment
      const claimed = delivered ?? amount
      const callId = `${id}/${inquiry}`
      return await payments.confirmReceipt({ ...call, callId, reference, claimed })
    }
    case 'draw': {
      const { id: callId, amount, isRecalled } = subject
      const payout = { ...call, callId, amount, destination }
      return await (isRecalled ? payments.cancelPayOut(payout) : payments.payOut(payout))
    }
    case 'refund': {
      const payout = { ...call, ...toCall(subject.refund), destination }
      const isRecalled = subject.refund.recalled_at !== null
      return await (isRecalled ? payments.cancelPayOut(payout) : payments.payOut(payout))
    }
    default: {
      const unreachable: never = subject
      return unreachable
    }
  }
}

/** Why it is for the operators, if it is. Of a draw less may come back. */
function findDoubt(
  subject: Subject,
  answer: Exclude<Answer, { status: 'pending' }>,
): DoubtReason | undefined {
  const { amount } = subject
  if (answer.status === 'refused') return 'refused'
  if (answer.status === 'returned') {
    const { asset, units } = answer.amount
    const isLess = subject.kind === 'draw' && units < amount.units
    return asset === amount.asset && (units === amount.units || isLess) ? undefined : 'other_amount'
  }
  if (subject.kind !== 'receipt') {
    const known = subject.kind === 'draw' ? subject.reference : subject.refund.reference
    return answer.reference === known ? undefined : 'other_content'
  }
  const { receipt } = answer
  if (receipt?.transferId !== subject.transferId) return 'other_content'
  const isWhole = receipt.amount.asset === amount.asset && receipt.amount.units === amount.units
  return isWhole ? undefined : 'other_amount'
}

async function settle(
  { prices }: CheckContext,
  locked: LockedFacility,
  subject: Subject,
  answer: Returned,
): Promise<void> {
  const at = toReturnedAt(answer.returnedAt, subject.movedAt, locked)
  const returned = { amount: answer.amount, code: answer.code, at }
  switch (subject.kind) {
    case 'receipt':
      return await returnReceipt(locked, subject.id, returned, prices)
    case 'draw':
      return await returnDraw(locked, subject.id, returned, prices)
    case 'refund':
      return await returnRefund(locked, subject.id, returned, prices)
    default: {
      const unreachable: never = subject
      return unreachable
    }
  }
}

/** The tenant's clock may be ahead of the provider's. */
function toReturnedAt(at: Date, movedAt: Date, { now, realNow }: Instant): Date {
  const then = laterOf(movedAt, addMs(at, now.getTime() - realNow.getTime()))
  return then < now ? then : now
}

/** As JSON, for the operators. */
function describe(answer: Exclude<Answer, { status: 'pending' }>): unknown {
  switch (answer.status) {
    case 'refused':
      return answer
    case 'returned':
      return { ...answer, amount: formatAmount(answer.amount) }
    case 'done': {
      const { receipt, reference } = answer
      const { status } = answer
      if (!receipt) return { status, reference }
      const { transferId, amount } = receipt
      return { status, transfer_id: transferId, received: formatAmount(amount) }
    }
    default: {
      const unreachable: never = answer
      return unreachable
    }
  }
}
