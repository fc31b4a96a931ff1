import { addMs, SECOND_MS } from '../../../core/time.ts'
import { type Db, inTransaction } from '../../../db/database.ts'
import { callAbout } from '../../facilities/custody/custodian-call.ts'
import { type LockedFacility, lockFacility } from '../../facilities/locked-facility.ts'
import type { CallAnswer, Execution } from '../../facilities/ports.ts'
import { makeDueNow, type WorkResult } from '../../work/work.ts'
import { acknowledgeSale, type SaleKey, updateOrderedSale } from '../call-queries.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import { bindTerms } from '../policy.ts'
import { encodeRecord } from '../receipts/plan-record.ts'
import { SELL_COLLATERAL } from '../topics.ts'
import { bookFill } from './book-fill.ts'
import { confirmForSale } from './confirm-positions.ts'
import {
  type ConfirmedHoldings,
  type OrderStep,
  planNextStep,
  type SaleContext,
} from './next-sale-step.ts'

export const RETRY_MS = 30 * SECOND_MS
/** Later than this, an order that did not reach the custodian is planned again. */
const PLACE_WITHIN_MS = 60 * SECOND_MS

/** Each order is stored before it is placed, and settled once: a crash neither loses nor repeats it. */
export async function sellCollateral(
  context: SaleContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  let confirmed: ConfirmedHoldings | undefined
  for (;;) {
    const instant = await context.instant(tenantId)
    const step = await inTransaction(context.db, async (tx) => {
      const margin = await bindTerms(context, { tx, tenantId, ...instant })
      const locked = await lockFacility(margin, facilityId)
      return await planNextStep(locked, confirmed, context.sealer)
    })
    confirmed = undefined
    const after = await context.instant(tenantId)
    const { realNow } = after
    if (step.kind === 'ended') return { done: true }
    if (step.kind === 'wait') return { done: false, retryAt: addMs(realNow, step.ms) }
    if (step.kind === 'ask') {
      const answer = await confirmForSale(context, step.facility, step, after)
      if ('askAgainAt' in answer) return { done: false, retryAt: answer.askAgainAt }
      confirmed = { positions: answer.positions, orders: step.orders, settled: step.settled }
      continue
    }
    const answer = await requestOrder(context, step, realNow)
    if ('retryAt' in answer) return answer
    await settleOrder(context, step, answer)
    const isFilled = answer.status === 'done' && answer.units > 0n
    if (step.kind === 'place' && !isFilled) {
      return { done: false, retryAt: addMs(realNow, RETRY_MS) }
    }
  }
}

/** Makes waiting calls due now, because debt or money under way has changed. */
export async function resumeSales(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  realNow: Date,
): Promise<void> {
  const sales = { topics: [SELL_COLLATERAL], subjectIds: facilityIds } as const
  await inTransaction(db, (tx) => makeDueNow(tx, tenantId, sales, realNow))
}

export type OrderAnswer = Exclude<CallAnswer<Execution>, { status: 'pending' }>

/** Returns how the order ended, or when to ask again. */
export async function requestOrder(
  context: SaleContext,
  step: OrderStep,
  realNow: Date,
): Promise<OrderAnswer | { done: false; retryAt: Date }> {
  const { facility, sale } = step
  const call = orderCall(step, realNow)
  if (step.kind === 'cancel') {
    const answer = await context.custodian.cancelSale(call)
    return answer.status === 'pending' ? { done: false, retryAt: answer.askAgainAt } : answer
  }
  const placeBy = addMs(sale.ordered_at, PLACE_WITHIN_MS)
  const answer = await context.custodian.sell({ ...call, placeBy })
  if (answer.status !== 'pending') return answer
  const { now } = await context.instant(facility.tenantId)
  await acknowledgeSale(context.db, saleKey(step), now)
  return { done: false, retryAt: answer.askAgainAt }
}

async function settleOrder(
  context: SaleContext,
  step: OrderStep,
  answer: OrderAnswer,
): Promise<void> {
  const { tenantId, id } = step.facility
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const margin = await bindTerms(context, { tx, tenantId, ...instant })
    const locked = await lockFacility(margin, id)
    await bookAnswer(locked, step, answer)
  })
}

export async function bookAnswer(
  locked: LockedFacility<MarginContext>,
  step: OrderStep,
  answer: OrderAnswer,
): Promise<void> {
  const { call, sale } = step
  const { tx, now } = locked
  if (answer.status === 'refused') {
    await updateOrderedSale(tx, saleKey(step), { status: 'REFUSED' })
    return
  }
  const isOurs = await updateOrderedSale(tx, saleKey(step), {
    status: 'FILLED',
    filled_units: answer.units,
    proceeds_cents: answer.proceedsCents,
    costs_cents: answer.costsCents,
    executed_at: executionTime(answer, sale.ordered_at, now),
    booking: encodeRecord({ at: now, debt: locked.facility.debt }),
  })
  if (isOurs) await bookFill(locked, call, { ...sale, ...answer })
}

/** Between order and answer, whatever the custodian's clock shows. */
function executionTime({ executedAt }: Execution, orderedAt: Date, now: Date): Date {
  if (!executedAt || executedAt > now) return now
  return executedAt < orderedAt ? orderedAt : executedAt
}

function orderCall({ facility, call, sale }: OrderStep, realNow: Date) {
  const order = { asset: sale.asset, units: sale.ordered_units, inKind: sale.in_kind }
  return { ...callAbout(facility, `call/${call.number}/${sale.number}`, realNow), order }
}

function saleKey({ facility, call, sale }: OrderStep): SaleKey {
  const { tenantId, id: facilityId } = facility
  return { tenantId, facilityId, callNumber: call.number, number: sale.number }
}
