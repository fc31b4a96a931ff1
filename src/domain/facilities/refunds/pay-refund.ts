import type { Amount } from '../../../core/money.ts'
import { addMs, DAY_MS, type Instant, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { readDestination } from '../../personal/borrower-key.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import type { WorkResult } from '../../work/work.ts'
import { hasReturnedDraw } from '../draws/draw-queries.ts'
import { requestFloorPush } from '../floors/floors.ts'
import { moneyOut } from '../ledger/conversion.ts'
import { type Posting, transfer } from '../ledger/journal.ts'
import { recordMovement } from '../ledger/ledger.ts'
import { type Rebooking, rebook } from '../ledger/rebook.ts'
import { type LockedFacility, lockFacility } from '../locked-facility.ts'
import type { Payments } from '../ports.ts'
import { requestEvaluation, requestLienRelease } from '../topics.ts'
import { balanceRefunds } from './balance-refunds.ts'
import { bookLoss, cancelInKind, chargePayout } from './in-kind.ts'
import {
  lockRefund,
  type RefundRow,
  selectRefund,
  selectRefundOrigin,
  updatePendingRefund,
  updateRefundOrdered,
} from './refund-queries.ts'
import { openCents } from './refunds.ts'

const RETRY_REFUSED_MS = MINUTE_MS

/** A refused payment is ordered again under a new id, and so is one that was recalled. */
export async function payRefund(
  context: { db: Db; payments: Payments; prices: PriceFeed; instant: InstantFor },
  tenantId: string,
  refundId: string,
): Promise<WorkResult> {
  const asked = await context.instant(tenantId)
  const { realNow } = asked
  // Committed before the call: an ordered payment cannot be redirected.
  const refund = await inTransaction(context.db, (tx) =>
    orderRefund({ tx, tenantId, ...asked }, refundId),
  )
  if ('done' in refund) return refund
  const facility = { tenantId, facilityId: refund.facility_id }
  const destination = await readDestination(context.db, facility, refund.destination)
  const call = { tenantId, realNow, ...toCall(refund), destination }
  const { payments } = context
  const answer = await (refund.recalled_at ? payments.cancelPayOut(call) : payments.payOut(call))
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  const instant = await context.instant(tenantId)
  return await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, refund.facility_id)
    if (answer.status === 'done') {
      await settleRefund(locked, { refundId, reference: answer.reference }, context.prices)
      return { done: true }
    }
    await countUnpaid(locked, refund, answer.status)
    return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  })
}

/** The payment that was ordered last, without its destination. */
export function toCall(refund: RefundRow) {
  const { refund_id, refusals, recalls, asset } = refund
  const callId = `${refund_id}/${refusals}${recalls > 0 ? `/${recalls}` : ''}`
  return {
    callId,
    amount: { asset, units: refund.ordered_units ?? refund.amount_units },
  }
}

/** The payment of this number never happens, recalled or not: the next has another. A late answer about an
 * earlier one changes nothing. One that came back before it was known waits for a redirect, and so does one
 * to where a draw has come back from. */
async function countUnpaid(
  locked: LockedFacility,
  { refund_id: refundId, refusals, recalls }: RefundRow,
  answer: 'refused' | 'returned',
): Promise<void> {
  const { tx, tenantId } = locked
  const refund = await lockRefund(tx, tenantId, refundId)
  if (refund?.status !== 'PENDING') return
  if (refund.refusals !== refusals || refund.recalls !== recalls) return
  const isUnpayable = answer === 'returned' || (await hasReturnedDraw(tx, tenantId, refund))
  const returned = isUnpayable && { refusals: refusals + 1, awaits_redirect: true }
  if (!refund.recalled_at) {
    return await updatePendingRefund(tx, tenantId, refundId, {
      refusals: refusals + 1,
      ...returned,
    })
  }
  const isNothing = refund.cents > 0n && openCents(refund) === 0n
  await updatePendingRefund(tx, tenantId, refundId, {
    ...{ recalled_at: null, ordered: null, recalls: recalls + 1 },
    ...returned,
    ...(isNothing && { status: 'CANCELLED' }),
  })
  const { isTakenBack } = await selectRefundOrigin(tx, tenantId, refund)
  if (isTakenBack) await cancelInKind(locked, refund)
}

/** Once. What of it is owed back no longer, because its recall came too late, is principal. */
async function settleRefund(
  locked: LockedFacility,
  { refundId, reference }: { refundId: string; reference: string },
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const refund = await lockRefund(tx, tenantId, refundId)
  if (refund?.status !== 'PENDING') return
  const cents = refund.ordered_cents ?? refund.cents
  const amount = { asset: refund.asset, units: refund.ordered_units ?? refund.amount_units }
  await updatePendingRefund(tx, tenantId, refundId, {
    status: 'PAID',
    reference,
    paid_at: now,
    amount_units: amount.units,
    taken_cents: refund.cents - cents,
  })
  const cause = `refund/${refundId}`
  if (openCents(refund) !== cents) {
    const event = { id: cause, kind: 'payout', valueAt: now, cents } as const
    const own = { event, kind: 'refund', sourceId: cause, money: moneyOut(amount, cents) }
    return await chargeRefund(locked, refund, own, prices)
  }
  const paid = await recordMovement(locked, {
    cause,
    kind: 'refund',
    debt: facility.debt,
    reservedCents: facility.reservedCents,
    refundDueCents: facility.refundDueCents - cents,
    postings: refundPostings(amount, cents),
  })
  const { kind, isTakenBack } = await selectRefundOrigin(tx, tenantId, refund)
  if (isTakenBack && kind === 'in_kind') await bookLoss(paid, refund)
  if (isTakenBack && kind === 'suspense') {
    const price = (await prices.latest(tx, tenantId, now)).get(amount.asset)?.price ?? ONE_USD
    return await chargeRefund(paid, refund, chargePayout(refund, now, price), prices)
  }
  await requestLienRelease(locked)
}

/** Books a payout of what is not owed back. */
async function chargeRefund(
  locked: LockedFacility,
  { refund_id: refundId }: RefundRow,
  own: NonNullable<Rebooking['add']>[number],
  prices: PriceFeed,
): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  const { id } = own.event
  const { rebooked, replayed } = await rebook(locked, { cause: id, sourceId: id, add: [own] })
  const latest = await prices.latest(tx, tenantId, now)
  await balanceRefunds(rebooked, replayed.owedBackCents, {
    sourceId: `${refundId}/correction`,
    priceOf: (asset) => latest.get(asset)?.price ?? ONE_USD,
  })
  await requestFloorPush(rebooked, facility.id)
  await requestEvaluation(rebooked, facility.id, 'price')
  await requestLienRelease(rebooked)
}

/** The next payment, marked as ordered, which no hold has seen, or the one that is recalled. */
async function orderRefund(
  tenant: TenantContext,
  refundId: string,
): Promise<RefundRow | WorkResult> {
  const { tx, tenantId, now, realNow } = tenant
  const known = await selectRefund(tx, tenantId, refundId)
  if (known?.status !== 'PENDING') return { done: true }
  const { facility } = await lockFacility(tenant, known.facility_id)
  const refund = await lockRefund(tx, tenantId, refundId)
  if (refund?.status !== 'PENDING') return { done: true }
  if (refund.recalled_at) return refund
  // The end of the hold, or a redirect, asks again.
  if (facility.heldSince || refund.awaits_redirect) {
    return { done: false, retryAt: addMs(realNow, DAY_MS) }
  }
  const cents = openCents(refund)
  const units = refund.cents === 0n ? refund.amount_units : unitsOf(refund, cents)
  if (!(await updateRefundOrdered(tx, tenantId, { refundId, units, cents }, now))) {
    return waitUntilPayable(refund.payable_at, { now, realNow })
  }
  return { ...refund, ordered: refund.refusals, ordered_units: units, ordered_cents: cents }
}

function unitsOf({ asset, amount_units: units, cents }: RefundRow, open: bigint): bigint {
  return asset === 'USD' ? open : (units * open) / cents
}

/** Once its treasury has answered at that instant, it is asked for again. */
function waitUntilPayable(payableAt: Date | null, { now, realNow }: Instant): WorkResult {
  if (!payableAt) return { done: true }
  const leftMs = payableAt.getTime() - now.getTime()
  return { done: false, retryAt: addMs(realNow, leftMs > 0 ? Math.min(leftMs, DAY_MS) : DAY_MS) }
}

/** Owed in dollars, or as it came. */
function refundPostings(amount: Amount, cents: bigint): Posting[] {
  const { asset, units } = amount
  if (cents === 0n) return transfer('wallet', 'refunds_payable', asset, units)
  return [{ account: 'refunds_payable', asset: 'USD', units: cents }, ...moneyOut(amount, cents)]
}
