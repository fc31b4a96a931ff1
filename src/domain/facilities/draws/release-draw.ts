import { Refusal } from '../../../core/errors.ts'
import { formatAmount } from '../../../core/money.ts'
import { addMs, monthEnd, SECOND_MS } from '../../../core/time.ts'
import { inTransaction } from '../../../db/database.ts'
import { ONE_USD, type PriceFeed } from '../../collateral/prices.ts'
import { appendEvents } from '../../events/append/append.ts'
import { getBorrower } from '../../onboarding/borrowers.ts'
import { readDestination } from '../../personal/borrower-key.ts'
import { ensureDeadline } from '../../work/deadlines.ts'
import type { WorkResult } from '../../work/work.ts'
import { type FloorContext, pushFloor } from '../floors/floors.ts'
import { moneyOut } from '../ledger/conversion.ts'
import { accrue, addPrincipal } from '../ledger/debt.ts'
import { recordMovement } from '../ledger/ledger.ts'
import { rebook } from '../ledger/rebook.ts'
import type { LendingContext } from '../lending-context.ts'
import { type LockedFacility, lockFacility } from '../locked-facility.ts'
import type { PaymentAnswer, Payments } from '../ports.ts'
import { balanceRefunds } from '../refunds/balance-refunds.ts'
import { ACCRUE_INTEREST, requestEvaluation } from '../topics.ts'
import { lockDraw, selectDraw, updatePendingDraw } from './draw-queries.ts'
import { checkDraw, type Draw, toDraw } from './draws.ts'
import { failDraw } from './fail-draw.ts'
import { freshPrice } from './refuse-draw.ts'

const PRICE_RETRY_MS = 5 * SECOND_MS
const RETURNED = { code: 'returned', retryable: false }
const ON_HOLD = { code: 'facility_on_hold', retryable: true }

export type ReleaseContext = FloorContext & { prices: PriceFeed; payments: Payments }

/** Each step is stored before the next: a run after a crash continues where the last one stopped. */
export async function releaseDraw(
  context: ReleaseContext,
  tenantId: string,
  drawId: string,
): Promise<WorkResult> {
  const row = await selectDraw(context.db, tenantId, drawId)
  if (row?.status !== 'PENDING') return { done: true }
  const draw = toDraw(row)
  if (draw.payoutSentAt === undefined) {
    const cleared = await clearForPayout(context, tenantId, draw)
    if (cleared !== true) return cleared
  }
  const { realNow } = await context.instant(tenantId)
  const { amount, facilityId } = draw
  const facility = { tenantId, facilityId }
  const destination = await readDestination(context.db, facility, draw.destination)
  const call = { tenantId, callId: drawId, amount, destination, realNow }
  const { payments } = context
  const answer = await (draw.recalledAt ? payments.cancelPayOut(call) : payments.payOut(call))
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  await settlePayout(context, tenantId, drawId, answer)
  return { done: true }
}

/** True when the payment may be ordered. */
async function clearForPayout(
  context: ReleaseContext,
  tenantId: string,
  draw: Draw,
): Promise<true | WorkResult> {
  const floor = await pushFloor(context, tenantId, draw.facilityId, 'draw')
  if (floor.status === 'pending') return { done: false, retryAt: floor.askAgainAt }
  const instant = await context.instant(tenantId)
  return await inTransaction(context.db, async (tx) => {
    const { prices } = context
    const terms = await context.termsAt(tx, instant.now)
    const lending = { tx, tenantId, ...instant, ...terms, prices }
    const locked = await lockFacility(lending, draw.facilityId)
    const current = toDraw(await lockDraw(tx, tenantId, draw.id))
    if (current.status !== 'PENDING') return { done: true }
    // Another run has ordered the payment: failing the draw now would lose the money.
    if (current.payoutSentAt !== undefined) {
      return current.recalledAt ? { done: false, retryAt: instant.realNow } : true
    }
    if (locked.facility.heldSince) {
      await failDraw(locked, current, ON_HOLD)
      return { done: true }
    }
    if (floor.status === 'refused') {
      await failDraw(locked, current, { code: 'floor_refused', retryable: true })
      return { done: true }
    }
    const borrower = await getBorrower(tx, tenantId, locked.facility.borrowerId)
    if (borrower.block) {
      const failure = { code: 'borrower_not_eligible', retryable: false }
      await failDraw(locked, current, failure)
      return { done: true }
    }
    const refusal = await recheck(locked, current)
    if (refusal === 'price_unavailable') {
      return { done: false, retryAt: addMs(instant.realNow, PRICE_RETRY_MS) }
    }
    if (refusal === 'margin') {
      await failDraw(locked, current, { code: 'margin', retryable: true })
      return { done: true }
    }
    await updatePendingDraw(tx, tenantId, draw.id, { payout_sent_at: locked.now })
    return true
  })
}

async function recheck(
  locked: LockedFacility<LendingContext>,
  draw: Draw,
): Promise<'margin' | 'price_unavailable' | undefined> {
  const { tx, tenantId, facility, policy, now } = locked
  if (facility.state !== 'APPROVED') return 'margin'
  const without = { ...facility, reservedCents: facility.reservedCents - draw.debtCents }
  try {
    const prices = await locked.prices.latest(tx, tenantId, now)
    const price = freshPrice(prices, draw.amount.asset, policy, now)
    const asked = { drawCents: draw.debtCents, price, prices }
    const refusal = await checkDraw({ ...locked, facility: without }, asked)
    return refusal && 'margin'
  } catch (error) {
    if (error instanceof Refusal && error.code === 'price_unavailable') return error.code
    throw error
  }
}

/** Once; a late or repeated answer changes nothing. */
export async function settlePayout(
  context: Pick<ReleaseContext, 'db' | 'instant'>,
  tenantId: string,
  drawId: string,
  answer: Exclude<PaymentAnswer<{ reference: string }>, { status: 'pending' }>,
): Promise<void> {
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const row = await selectDraw(tx, tenantId, drawId)
    if (!row) return
    const locked = await lockFacility({ tx, tenantId, ...instant }, row.facility_id)
    const draw = toDraw(await lockDraw(tx, tenantId, drawId))
    if (draw.status !== 'PENDING') return
    if (answer.status === 'done') {
      await completeDraw(locked, draw, answer.reference)
    } else if (answer.status === 'returned') {
      await failDraw(locked, draw, RETURNED)
    } else {
      await failDraw(locked, draw, draw.recalledAt ? ON_HOLD : answer)
    }
  })
}

/** Money owed back since this very instant pays it: a draw comes before all else of its instant. */
async function bookDraw(locked: LockedFacility, draw: Draw): Promise<void> {
  const { facility, now } = locked
  const { debtCents, amount } = draw
  const debt = addPrincipal(accrue(facility.debt, now), debtCents)
  const [cause, kind, valueAt] = [`draw/${draw.id}`, 'draw', debt.accruedAt] as const
  const reservedCents = facility.reservedCents - debtCents
  const money = moneyOut(amount, debtCents)
  if (facility.refundDueCents > 0n && facility.debt.accruedAt >= now) {
    const event = { id: cause, kind, valueAt, cents: debtCents }
    const own = { event, kind, sourceId: draw.id, money }
    const released = { ...locked, facility: { ...facility, reservedCents } }
    const { rebooked, replayed } = await rebook(released, { cause, sourceId: cause, add: [own] })
    const rest = { sourceId: cause, priceOf: () => ONE_USD }
    await balanceRefunds(rebooked, replayed.owedBackCents, rest)
    return
  }
  await recordMovement(locked, {
    cause,
    kind,
    valueAt,
    debt,
    reservedCents,
    principal: [{ sourceId: draw.id, effectiveAt: valueAt, deltaCents: debtCents }],
    refundDueCents: facility.refundDueCents,
    postings: [{ account: 'loans_receivable', asset: 'USD', units: debtCents }, ...money],
  })
}

async function completeDraw(locked: LockedFacility, draw: Draw, reference: string): Promise<void> {
  const { tx, tenantId, facility, now } = locked
  await bookDraw(locked, draw)
  await updatePendingDraw(tx, tenantId, draw.id, {
    status: 'COMPLETED',
    reference,
    completed_at: now,
  })
  await ensureDeadline(tx, tenantId, ACCRUE_INTEREST, {
    subjectId: tenantId,
    dueAt: monthEnd(now),
  })
  // The price may have fallen while the money was on its way.
  await requestEvaluation(locked, facility.id, 'price')
  appendEvents(tx, tenantId, [
    {
      type: 'draw.completed',
      resource: { type: 'draw', id: draw.id },
      occurredAt: now,
      data: {
        facility_id: facility.id,
        draw_id: draw.id,
        amount: formatAmount(draw.amount),
        reference,
        completed_at: now.toISOString(),
      },
    },
  ])
}
