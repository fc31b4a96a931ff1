import { newId } from '../../../core/ids.ts'
import type { Amount } from '../../../core/money.ts'
import { addMs, DAY_MS, type Instant, MINUTE_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import type { InstantFor } from '../../tenants/tenant-clock.ts'
import type { TenantContext } from '../../tenants/tenant-context.ts'
import { requestWork, type WorkResult } from '../../work/work.ts'
import { selectLatestCompletedDraw } from '../draws/draw-queries.ts'
import { moneyOut } from '../ledger/conversion.ts'
import { unitsForCents } from '../ledger/dollar-value.ts'
import { type Posting, transfer } from '../ledger/journal.ts'
import { recordMovement } from '../ledger/ledger.ts'
import { type LockedFacility, lockFacility } from '../locked-facility.ts'
import type { Payments } from '../ports.ts'
import { PAY_REFUND, requestLienRelease } from '../topics.ts'
import {
  countRefusal,
  insertRefund,
  lockRefund,
  selectOldestRefused,
  selectPayableRefunds,
  selectRefund,
  updateRefundOrdered,
  updateRefundPaid,
} from './refund-queries.ts'

const RETRY_REFUSED_MS = MINUTE_MS

/** Pays cents that the caller booked as payable to where the latest draw went, in its asset at its
 * price (10^-8 USD). `left` of that asset goes back as it came. */
export async function refundCents(
  locked: LockedFacility,
  refund: { sourceId: string; cents: bigint; priceOf: (asset: string) => bigint; left?: Amount },
): Promise<void> {
  if (refund.cents === 0n) return
  const { asset, destination } = await findDestination(locked)
  const units =
    refund.left?.asset === asset
      ? refund.left.units
      : unitsForCents(asset, refund.cents, refund.priceOf(asset))
  const { sourceId, cents } = refund
  const amount = units > 0n ? { asset, units } : { asset: 'USD', units: cents }
  // Without the money that can still be taken back, less would be owed back.
  const payableAt = locked.facility.provisionalUntil
  await createRefund(locked, { sourceId, amount, cents, destination, payableAt })
}

/** Sends an amount back, by default to where the latest draw went; `cents` of it were booked as due in
 * dollars. Not paid before `payableAt`. */
export async function refundInKind(
  locked: LockedFacility,
  refund: {
    sourceId: string
    amount: Amount
    cents: bigint
    destination?: string
    payableAt: Date | undefined
  },
): Promise<void> {
  const destination = refund.destination ?? (await findDestination(locked)).destination
  await createRefund(locked, { ...refund, destination })
}

async function findDestination({ tx, tenantId, facility }: LockedFacility) {
  const draw = await selectLatestCompletedDraw(tx, tenantId, facility.id)
  if (!draw) throw new Error(`facility ${facility.id} owes money back but never paid a draw`)
  return draw
}

async function createRefund(
  { tx, tenantId, facility, now, realNow }: LockedFacility,
  refund: {
    sourceId: string
    amount: Amount
    cents: bigint
    destination: string
    payableAt: Date | undefined
  },
): Promise<void> {
  const { payableAt } = refund
  const refundId = newId('rfd')
  await insertRefund(tx, {
    tenant_id: tenantId,
    refund_id: refundId,
    facility_id: facility.id,
    source_id: refund.sourceId,
    status: 'PENDING',
    asset: refund.amount.asset,
    amount_units: refund.amount.units,
    cents: refund.cents,
    destination: refund.destination,
    created_at: now,
    payable_at: payableAt && payableAt > now ? payableAt : null,
  })
  await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
}

/** A refused payment is ordered again under a new id, and so is one that was recalled. */
export async function payRefund(
  context: { db: Db; payments: Payments; instant: InstantFor },
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
  const { refusals, recalls } = refund
  const amount = { asset: refund.asset, units: refund.amount_units }
  const { destination } = refund
  const callId = `${refundId}/${refusals}${recalls > 0 ? `/${recalls}` : ''}`
  const call = { tenantId, callId, amount, destination, realNow }
  const { payments } = context
  const answer = await (refund.recalled_at ? payments.cancelPayOut(call) : payments.payOut(call))
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  if (answer.status === 'refused') {
    await inTransaction(context.db, (tx) => countRefusal(tx, tenantId, refundId, refund))
    return { done: false, retryAt: addMs(realNow, RETRY_REFUSED_MS) }
  }
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ tx, tenantId, ...instant }, refund.facility_id)
    const { facility, now } = locked
    const paid = { reference: answer.reference, at: now }
    if (!(await updateRefundPaid(tx, tenantId, refundId, paid))) return
    await recordMovement(locked, {
      cause: `refund/${refundId}`,
      kind: 'refund',
      debt: facility.debt,
      reservedCents: facility.reservedCents,
      refundDueCents: facility.refundDueCents - refund.cents,
      postings: refundPostings(amount, refund.cents),
    })
    await requestLienRelease(locked)
  })
  return { done: true }
}

/** The next payment, marked as ordered, which no hold has seen, or the one that is recalled. */
async function orderRefund(
  tenant: TenantContext,
  refundId: string,
): Promise<OrderedRefund | WorkResult> {
  const { tx, tenantId, now, realNow } = tenant
  const known = await selectRefund(tx, tenantId, refundId)
  if (known?.status !== 'PENDING') return { done: true }
  const { facility } = await lockFacility(tenant, known.facility_id)
  const refund = await lockRefund(tx, tenantId, refundId)
  if (refund?.status !== 'PENDING') return { done: true }
  if (refund.recalled_at) return refund
  // The end of the hold asks again.
  if (facility.heldSince) return { done: false, retryAt: addMs(realNow, DAY_MS) }
  const ordered = await updateRefundOrdered(tx, tenantId, refundId, now)
  return ordered ?? waitUntilPayable(refund.payable_at, { now, realNow })
}

type OrderedRefund = NonNullable<Awaited<ReturnType<typeof lockRefund>>>

/** The deadline of the receipt asks again at the instant itself. */
function waitUntilPayable(payableAt: Date | null, { now, realNow }: Instant): WorkResult {
  if (!payableAt) return { done: true }
  const leftMs = Math.max(0, payableAt.getTime() - now.getTime())
  return { done: false, retryAt: addMs(realNow, Math.min(leftMs, DAY_MS)) }
}

/** Orders what waited for money to become final. */
export async function requestPayableRefunds({
  tx,
  tenantId,
  facility,
  now,
  realNow,
}: LockedFacility): Promise<void> {
  for (const refundId of await selectPayableRefunds(tx, tenantId, facility.id, now)) {
    await requestWork(tx, { tenantId, topic: PAY_REFUND, subjectId: refundId }, realNow)
  }
}

export async function measureOldestRefused(db: Db, realNow: Date): Promise<number> {
  return Math.max(0, (await selectOldestRefused(db, realNow)) ?? 0)
}

/** Owed in dollars, or as it came. */
function refundPostings(amount: Amount, cents: bigint): Posting[] {
  const { asset, units } = amount
  if (cents === 0n) return transfer('wallet', 'refunds_payable', asset, units)
  return [{ account: 'refunds_payable', asset: 'USD', units: cents }, ...moneyOut(amount, cents)]
}
