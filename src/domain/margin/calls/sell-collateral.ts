import { addMs, SECOND_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { callAbout } from '../../facilities/custody/custodian-call.ts'
import { lockFacility } from '../../facilities/locked-facility.ts'
import type { CallAnswer, Execution } from '../../facilities/ports.ts'
import { makeDueNow, type WorkResult } from '../../work/work.ts'
import { acknowledgeSale, type SaleKey, updateOrderedSale } from '../call-queries.ts'
import { SELL_COLLATERAL } from '../topics.ts'
import { bookFill } from './book-fill.ts'
import { confirmForSale } from './confirm-positions.ts'
import type { EscalationContext } from './escalate.ts'
import { type Held, type OrderStep, planNextStep } from './next-sale-step.ts'

/** After an order that was refused, or filled with nothing. */
const RETRY_MS = 30 * SECOND_MS
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
    const settled =
      turn.kind === 'place'
        ? await placeOrder(context, turn, realNow)
        : await cancelOrder(context, turn, realNow)
    if (settled !== true) return settled
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

async function placeOrder(
  context: EscalationContext,
  turn: OrderStep,
  realNow: Date,
): Promise<true | WorkResult> {
  const { facility, sale } = turn
  const answer = await context.custodian.sell({
    ...orderCall(turn, realNow),
    placeBy: addMs(sale.ordered_at, PLACE_WITHIN_MS),
  })
  if (answer.status === 'pending') {
    const { now } = await context.instant(facility.tenantId)
    await acknowledgeSale(context.db, saleKey(turn), now)
    return { done: false, retryAt: answer.askAgainAt }
  }
  await settleOrder(context, turn, answer)
  if (answer.status === 'done' && answer.units > 0n) return true
  return { done: false, retryAt: addMs(realNow, RETRY_MS) }
}

/** Takes an order back; what was executed of it meanwhile is booked, and what is next is planned
 * anew. */
async function cancelOrder(
  context: EscalationContext,
  turn: OrderStep,
  realNow: Date,
): Promise<true | WorkResult> {
  const answer = await context.custodian.cancelSale(orderCall(turn, realNow))
  if (answer.status === 'pending') return { done: false, retryAt: answer.askAgainAt }
  await settleOrder(context, turn, answer)
  return true
}

/** Notes how an order has ended, and books what was executed of it; nothing if that was done
 * before. */
async function settleOrder(
  context: EscalationContext,
  turn: OrderStep,
  answer: Exclude<CallAnswer<Execution>, { status: 'pending' }>,
): Promise<void> {
  const { call, sale } = turn
  const { tenantId, id } = turn.facility
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility({ ...context, tx, tenantId, ...instant }, id)
    if (answer.status === 'refused') {
      await updateOrderedSale(tx, saleKey(turn), { status: 'REFUSED' })
      return
    }
    const isOurs = await updateOrderedSale(tx, saleKey(turn), {
      status: 'FILLED',
      filled_units: answer.units,
      proceeds_cents: answer.proceedsCents,
      costs_cents: answer.costsCents,
      executed_at: executionTime(answer, sale.ordered_at, instant.now),
    })
    if (isOurs) await bookFill(locked, call, { ...sale, ...answer })
  })
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
