import { addMs, SECOND_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { callAbout } from '../../facilities/custody/custodian-call.ts'
import { type LockedFacility, lockFacility } from '../../facilities/locked-facility.ts'
import type { CallAnswer, Execution } from '../../facilities/ports.ts'
import { makeDueNow, type WorkResult } from '../../work/work.ts'
import { acknowledgeSale, type SaleKey, updateOrderedSale } from '../call-queries.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import { SELL_COLLATERAL } from '../topics.ts'
import { bookFill } from './book-fill.ts'
import { confirmForSale } from './confirm-positions.ts'
import type { EscalationContext } from './escalate.ts'
import { type Held, type OrderStep, planNextStep } from './next-sale-step.ts'

/** After an order that was refused, or filled with nothing. */
export const RETRY_MS = 30 * SECOND_MS
/** An order that has not reached the custodian by then is planned anew. */
const PLACE_WITHIN_MS = 60 * SECOND_MS

/** Carries a margin call out (interface, margin_call.started and completed): one order after the
 * other, each planned from what the earlier ones actually brought and what the custodian then
 * holds, until the floor is clear, the debt is nil, or nothing sellable is left. An order is
 * stored before it is placed and settled once, so a crash between any two steps neither loses nor
 * repeats a sale. One that the custodian has not acknowledged is placed again only as long as it
 * would still be made. */
export async function sellCollateral(
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  let held: Held | undefined
  for (;;) {
    const instant = await context.instant(tenantId)
    const turn = await inTransaction(context.db, async (tx) => {
      const locked = await lockFacility({ ...context, tx, tenantId, ...instant }, facilityId)
      return await planNextStep(locked, held)
    })
    held = undefined
    const after = await context.instant(tenantId)
    const { realNow } = after
    if (turn.kind === 'ended') return { done: true }
    if (turn.kind === 'wait') return { done: false, retryAt: addMs(realNow, turn.ms) }
    if (turn.kind === 'ask') {
      const answer = await confirmForSale(context, turn.facility, turn, after)
      if ('askAgainAt' in answer) return { done: false, retryAt: answer.askAgainAt }
      held = { positions: answer.positions, orders: turn.orders, settled: turn.settled }
      continue
    }
    const answer = await requestOrder(context, turn, realNow)
    if ('retryAt' in answer) return answer
    await settleOrder(context, turn, answer)
    const isFilled = answer.status === 'done' && answer.units > 0n
    // After a cancellation what is next is planned again.
    if (turn.kind === 'place' && !isFilled) {
      return { done: false, retryAt: addMs(realNow, RETRY_MS) }
    }
  }
}

/**
 * Has a call that waits look again now, because what is owed or under way has changed. Does nothing
 * where no call waits.
 */
export async function resumeSale(
  db: Db,
  tenantId: string,
  facilityId: string,
  realNow: Date,
): Promise<void> {
  const sale = { topics: [SELL_COLLATERAL], subjectIds: [facilityId] } as const
  await inTransaction(db, (tx) => makeDueNow(tx, tenantId, sale, realNow))
}

/** How an order has ended. */
export type OrderAnswer = Exclude<CallAnswer<Execution>, { status: 'pending' }>

/** Places an order, or takes it back: how it has ended, or when to ask again. */
export async function requestOrder(
  context: EscalationContext,
  turn: OrderStep,
  realNow: Date,
): Promise<OrderAnswer | { done: false; retryAt: Date }> {
  const { facility, sale } = turn
  const call = orderCall(turn, realNow)
  if (turn.kind === 'cancel') {
    const answer = await context.custodian.cancelSale(call)
    return answer.status === 'pending' ? { done: false, retryAt: answer.askAgainAt } : answer
  }
  const placeBy = addMs(sale.ordered_at, PLACE_WITHIN_MS)
  const answer = await context.custodian.sell({ ...call, placeBy })
  if (answer.status !== 'pending') return answer
  const { now } = await context.instant(facility.tenantId)
  await acknowledgeSale(context.db, saleKey(turn), now)
  return { done: false, retryAt: answer.askAgainAt }
}

async function settleOrder(
  context: EscalationContext,
  turn: OrderStep,
  answer: OrderAnswer,
): Promise<void> {
  const { tenantId, id } = turn.facility
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ ...context, tx, tenantId, ...instant }, id)
    await bookAnswer(locked, turn, answer)
  })
}

/** Notes how an order has ended, and books what was executed of it; nothing if that was done before. */
export async function bookAnswer(
  locked: LockedFacility<MarginContext>,
  turn: OrderStep,
  answer: OrderAnswer,
): Promise<void> {
  const { call, sale } = turn
  const { tx, now } = locked
  if (answer.status === 'refused') {
    await updateOrderedSale(tx, saleKey(turn), { status: 'REFUSED' })
    return
  }
  const isOurs = await updateOrderedSale(tx, saleKey(turn), {
    status: 'FILLED',
    filled_units: answer.units,
    proceeds_cents: answer.proceedsCents,
    costs_cents: answer.costsCents,
    executed_at: executionTime(answer, sale.ordered_at, now),
  })
  if (isOurs) await bookFill(locked, call, { ...sale, ...answer })
}

/** An order is executed between its placing and its answer, whatever the custodian's clock says. */
function executionTime({ executedAt }: Execution, orderedAt: Date, now: Date): Date {
  if (!executedAt || executedAt > now) return now
  return executedAt < orderedAt ? orderedAt : executedAt
}

/** Under the same id whenever it is about the same order. */
function orderCall({ facility, call, sale }: OrderStep, realNow: Date) {
  const order = { asset: sale.asset, units: sale.ordered_units, inKind: sale.in_kind }
  return { ...callAbout(facility, `call/${call.number}/${sale.number}`, realNow), order }
}

function saleKey({ facility, call, sale }: OrderStep): SaleKey {
  const { tenantId, id: facilityId } = facility
  return { tenantId, facilityId, callNumber: call.number, number: sale.number }
}
