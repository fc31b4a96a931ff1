import { formatDecimal, formatQuantity, formatUsd, usd } from '../../core/money.ts'
import { floorCents } from '../../core/ratio.ts'
import { addMs, type Instant, SECOND_MS } from '../../core/time.ts'
import { inTransaction, type Tx } from '../../db/database.ts'
import type { CallOutcome } from '../../db/schema.ts'
import type { Position } from '../collateral/valuation.ts'
import { appendEvents } from '../events/append-event.ts'
import { beginClosing } from '../facilities/close.ts'
import { applyPayment, totalDebtCents } from '../facilities/debt.ts'
import { type Facility, lockFacility } from '../facilities/facilities.ts'
import { requestFloorPush } from '../facilities/floors.ts'
import { accrueFacility, recordMovement } from '../facilities/ledger.ts'
import type { CallAnswer, Execution } from '../facilities/ports.ts'
import { hasDebtUnderWay, insertMovement } from '../facilities/queries.ts'
import { receiptPostings } from '../facilities/receipts.ts'
import { refundCents } from '../facilities/refunds.ts'
import { requestJudgement } from '../facilities/topics.ts'
import type { WorkResult } from '../outbox/outbox.ts'
import { sumSales } from './calls.ts'
import { confirmPositions } from './confirm-positions.ts'
import type { EscalationContext } from './escalate.ts'
import { type Case, loadCases, loadPrices } from './facts.ts'
import type { MarginPolicy } from './policy.ts'
import {
  acknowledgeSale,
  insertSale,
  type SaleKey,
  selectLiveCalls,
  selectSales,
  updateLiveCall,
  updateOrderedSale,
} from './queries.ts'
import { planNextOrder, planSale, type SaleOrder } from './sale-plan.ts'

const NO_PRICE_PAUSE_MS = 5 * SECOND_MS
/** After an order that was refused, or filled with nothing. */
const RETRY_MS = 30 * SECOND_MS
/** An order that has not reached the custodian by then is planned anew. */
const PLACE_WITHIN_MS = 60 * SECOND_MS

type LiveCall = Awaited<ReturnType<typeof selectLiveCalls>>[number]
type Sale = Awaited<ReturnType<typeof selectSales>>[number]

/** What the custodian holds, and how many orders there were when it was asked. */
type Held = { positions: Position[]; orders: number }

/** What a turn of a call has found to do. */
type Turn =
  | { kind: 'ended' }
  | { kind: 'ask'; facility: Facility; orders: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'place' | 'cancel'; facility: Facility; call: LiveCall; sale: Sale }

type OrderTurn = Extract<Turn, { kind: 'place' | 'cancel' }>

/**
 * Carries a margin call out (interface, margin_call.started and completed): one order after the
 * other, each planned from what the earlier ones actually brought and what the custodian then holds,
 * until the floor is clear, the debt is nil, or nothing sellable is left. An order is stored before it
 * is placed and settled once, so a crash between any two steps neither loses nor repeats a sale. One
 * that the custodian has not acknowledged is placed again only as long as it would still be made.
 */
export async function sellCollateral(
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
): Promise<WorkResult> {
  let held: Held | undefined
  for (;;) {
    const instant = await context.instant(tenantId)
    const turn = await inTransaction(context.db, (tx) =>
      takeTurn(tx, context, tenantId, facilityId, held, instant),
    )
    held = undefined
    const { realNow } = await context.instant(tenantId)
    if (turn.kind === 'ended') return { done: true }
    if (turn.kind === 'wait') return { done: false, lookAgainAt: addMs(realNow, turn.ms) }
    if (turn.kind === 'ask') {
      const answer = await confirmPositions(context.custodian, turn.facility, realNow)
      if ('askAgainAt' in answer) return { done: false, lookAgainAt: answer.askAgainAt }
      held = { positions: answer.positions, orders: turn.orders }
      continue
    }
    const settled =
      turn.kind === 'place'
        ? await placeOrder(context, turn, realNow)
        : await cancelOrder(context, turn, realNow)
    if (settled !== true) return settled
  }
}

async function placeOrder(
  context: EscalationContext,
  turn: OrderTurn,
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
    return { done: false, lookAgainAt: answer.askAgainAt }
  }
  await settleOrder(context, turn, answer)
  if (answer.status === 'done' && answer.units > 0n) return true
  return { done: false, lookAgainAt: addMs(realNow, RETRY_MS) }
}

/** Takes an order back; what was executed of it meanwhile is booked, and what is next is planned anew. */
async function cancelOrder(
  context: EscalationContext,
  turn: OrderTurn,
  realNow: Date,
): Promise<true | WorkResult> {
  const answer = await context.custodian.cancelSale(orderCall(turn, realNow))
  if (answer.status === 'pending') return { done: false, lookAgainAt: answer.askAgainAt }
  await settleOrder(context, turn, answer)
  return true
}

/** Notes how an order has ended, and books what was executed of it; nothing if that was done before. */
async function settleOrder(
  context: EscalationContext,
  turn: OrderTurn,
  answer: Exclude<CallAnswer<Execution>, { status: 'pending' }>,
): Promise<void> {
  const { call, sale } = turn
  const { tenantId, id } = turn.facility
  const instant = await context.instant(tenantId)
  await inTransaction(context.db, async (tx) => {
    const locked = await lockFacility(tx, tenantId, id)
    if (answer.status === 'refused') {
      await updateOrderedSale(tx, saleKey(turn), { status: 'REFUSED' })
      return
    }
    const isOurs = await updateOrderedSale(tx, saleKey(turn), {
      status: 'FILLED',
      filled_units: answer.units,
      proceeds_cents: answer.proceedsCents,
      costs_cents: answer.costsCents,
      executed_at: answer.executedAt ?? instant.now,
    })
    if (isOurs) await bookFill(tx, context, locked, call, { ...sale, ...answer }, instant)
  })
}

/** Under the same id whenever it is about the same order. */
function orderCall({ facility, call, sale }: OrderTurn, realNow: Date) {
  const { tenantId, id, custodyAccount: account } = facility
  const order = { asset: sale.asset, units: sale.ordered_units, inKind: sale.in_kind }
  return { tenantId, callId: `${id}/call/${call.number}/${sale.number}`, realNow, account, order }
}

function saleKey({ facility, call, sale }: OrderTurn): SaleKey {
  const { tenantId, id: facilityId } = facility
  return { tenantId, facilityId, callNumber: call.number, number: sale.number }
}

/** Decides a locked call's next step and stores it: an order to place, or the end of the call. */
async function takeTurn(
  tx: Tx,
  context: EscalationContext,
  tenantId: string,
  facilityId: string,
  held: Held | undefined,
  instant: Instant,
): Promise<Turn> {
  const facility = await lockFacility(tx, tenantId, facilityId)
  const [call] = await selectLiveCalls(tx, tenantId, [facilityId])
  if (!call) return { kind: 'ended' }
  const sales = await selectSales(tx, tenantId, facilityId, call.number)
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  // An order that the custodian has taken on is its own, and only asked about.
  if (ordered?.acknowledged_at) return { kind: 'place', facility, call, sale: ordered }

  const debtCents = totalDebtCents(facility.debt, instant.now)
  const isSold = sales.some((sale) => (sale.filled_units ?? 0n) > 0n)
  // What nobody owes needs neither a price nor the custodian's word.
  if (debtCents === 0n) {
    if (ordered) return { kind: 'cancel', facility, call, sale: ordered }
    return await endCall(tx, facility, call, sales, isSold ? 'full' : 'not_needed', instant)
  }
  if (held?.orders !== sales.length) return { kind: 'ask', facility, orders: sales.length }

  const judged = await judgeCall(tx, context, facility, held.positions, instant.now)
  const { values, latest } = judged.collateral
  if (ordered) {
    const isWanted = isStillWanted(ordered, judged, debtCents, context.marginPolicy)
    return { kind: isWanted ? 'place' : 'cancel', facility, call, sale: ordered }
  }
  if (!values) return { kind: 'wait', ms: NO_PRICE_PAUSE_MS }
  const floor = floorCents(debtCents, context.marginPolicy.cureLtvPpm)
  // At the highest value of the window: one bad tick sells nothing.
  if (values.highCents >= floor) {
    return await endCall(tx, facility, call, sales, isSold ? 'partial' : 'not_needed', instant)
  }
  const state = { debtCents, positions: latest.positions }
  const step = planNextOrder(state, context.marginPolicy)
  if (step.kind === 'order') {
    if (call.status === 'PENDING') {
      const { orders } = planSale(state, context.marginPolicy)
      await startCall(tx, context, facility, call, orders, instant.now)
    }
    const sale = await storeOrder(tx, facility, call, sales.length + 1, step.order, instant.now)
    return { kind: 'place', facility, call, sale }
  }
  switch (step.reason) {
    case 'debt_nil':
      return await endCall(tx, facility, call, sales, isSold ? 'full' : 'not_needed', instant)
    case 'floor_clear':
      return await endCall(tx, facility, call, sales, isSold ? 'partial' : 'not_needed', instant)
    case 'nothing_sellable':
      // A draw will be debt too, and money that has been sent pays some: neither is known before.
      if (await hasDebtUnderWay(tx, tenantId, facilityId)) return { kind: 'wait', ms: SECOND_MS }
      return await endCall(tx, facility, call, sales, 'deficit', instant)
    default: {
      const unreachable: never = step.reason
      return unreachable
    }
  }
}

/**
 * Whether an order of an earlier turn, which the custodian may never have heard of, is to be placed
 * again: where one that is planned now would sell at least as much of the same.
 */
function isStillWanted(
  { asset, ordered_units: units }: Sale,
  { collateral: { values, latest } }: Case,
  debtCents: bigint,
  policy: MarginPolicy,
): boolean {
  if (!values || values.highCents >= floorCents(debtCents, policy.cureLtvPpm)) return false
  const step = planNextOrder({ debtCents, positions: latest.positions }, policy)
  return step.kind === 'order' && step.order.asset === asset && step.order.units >= units
}

async function judgeCall(
  tx: Tx,
  { prices, marginPolicy }: EscalationContext,
  facility: Facility,
  positions: Position[],
  now: Date,
): Promise<Case> {
  const confirmed = new Map([[facility.borrowerId, positions]])
  const seen = await loadPrices(tx, prices, facility.tenantId, now, marginPolicy)
  const facilities = [facility]
  const { tenantId } = facility
  const [judged] = await loadCases(tx, tenantId, facilities, seen, now, marginPolicy, confirmed)
  if (!judged) throw new Error(`facility ${facility.id} was not loaded`)
  return judged
}

async function startCall(
  tx: Tx,
  { marginPolicy }: EscalationContext,
  { tenantId, id }: Facility,
  call: LiveCall,
  orders: readonly SaleOrder[],
  now: Date,
): Promise<void> {
  const planned = orders.map(({ asset, units }) => ({ asset, units: String(units) }))
  await updateLiveCall(tx, tenantId, id, call.number, {
    status: 'SELLING',
    started_at: now,
    planned: JSON.stringify(planned) as unknown as typeof planned,
  })
  await appendEvents(tx, tenantId, [
    {
      type: 'margin_call.started',
      resource: { type: 'margin_call', id: `${id}/${call.number}` },
      occurredAt: now,
      data: {
        facility_id: id,
        number: call.number,
        margin_warning_number: call.margin_warning_number,
        target_ltv: formatDecimal(marginPolicy.targetLtvPpm, 6),
        planned: orders.map(({ asset, units }) => toPosition(asset, units)),
      },
    },
  ])
}

async function storeOrder(
  tx: Tx,
  { tenantId, id }: Facility,
  call: LiveCall,
  number: number,
  order: SaleOrder,
  now: Date,
): Promise<Sale> {
  const row = {
    tenant_id: tenantId,
    facility_id: id,
    call_number: call.number,
    number,
    asset: order.asset,
    ordered_units: order.units,
    in_kind: order.inKind,
    status: 'ORDERED' as const,
    ordered_at: now,
  }
  await insertSale(tx, row)
  return {
    ...row,
    acknowledged_at: null,
    filled_units: null,
    proceeds_cents: null,
    costs_cents: null,
    executed_at: null,
  }
}

/** Books what a fill brought: costs, interest, principal, and what is over is the borrower's. */
async function bookFill(
  tx: Tx,
  context: EscalationContext,
  locked: Facility,
  call: LiveCall,
  fill: {
    number: number
    asset: string
    in_kind: boolean
    units: bigint
    proceedsCents: bigint
    costsCents: bigint
  },
  instant: Instant,
): Promise<void> {
  const { now } = instant
  const { tenantId, id } = locked
  const net = fill.proceedsCents > fill.costsCents ? fill.proceedsCents - fill.costsCents : 0n
  const facility = accrueFacility(locked, now)
  const { debt, allocation } = applyPayment(facility.debt, net, now, [])
  const cause = `sale/${call.number}/${fill.number}`
  const received = fill.in_kind
    ? { asset: fill.asset, units: fill.units }
    : { asset: 'USD', units: net }
  const paid = await recordMovement(
    tx,
    locked,
    {
      cause,
      kind: 'sale',
      debt,
      reservedCents: locked.reservedCents,
      refundDueCents: locked.refundDueCents + allocation.refundCents,
      postings: net === 0n ? [] : receiptPostings(received, net, allocation),
    },
    now,
  )
  for (const [index, { effectiveAt, deltaCents }] of allocation.principal.entries()) {
    await insertMovement(tx, {
      tenant_id: tenantId,
      facility_id: id,
      source_id: cause,
      part: index + 1,
      effective_at: effectiveAt,
      delta_cents: deltaCents,
    })
  }
  const latest = await context.prices.latest(tx, tenantId, now)
  const priceOf = (asset: string) => latest.get(asset)?.price ?? 100_000_000n
  await refundCents(
    tx,
    paid,
    { sourceId: `${id}/${cause}`, cents: allocation.refundCents, priceOf },
    instant,
  )
  const repaid = allocation.principal.reduce((sum, part) => sum - part.deltaCents, 0n)
  const [fresh] = await selectLiveCalls(tx, tenantId, [id])
  const sums = fresh ?? call
  await updateLiveCall(tx, tenantId, id, call.number, {
    costs_cents: sums.costs_cents + (fill.proceedsCents - net),
    interest_cents: sums.interest_cents + allocation.interestCents,
    principal_cents: sums.principal_cents + repaid,
    surplus_cents: sums.surplus_cents + allocation.refundCents,
  })
}

/** Ends a live call and tells it; a debt that nothing is left to sell for is charged off. */
async function endCall(
  tx: Tx,
  facility: Facility,
  call: LiveCall,
  sales: readonly Sale[],
  outcome: CallOutcome,
  { now, realNow }: Instant,
): Promise<Turn> {
  const { tenantId, id } = facility
  const deficit =
    outcome === 'deficit' ? await beginClosing(tx, facility, 'charged_off', { now, realNow }) : 0n
  await updateLiveCall(tx, tenantId, id, call.number, {
    status: 'COMPLETED',
    outcome,
    deficit_cents: deficit,
    completed_at: now,
  })
  await requestFloorPush(tx, tenantId, id, realNow)
  // The ladder begins afresh.
  await requestJudgement(tx, tenantId, id, 'price', realNow)
  await appendEvents(tx, tenantId, [
    {
      type: 'margin_call.completed',
      resource: { type: 'margin_call', id: `${id}/${call.number}` },
      occurredAt: now,
      data: {
        facility_id: id,
        number: call.number,
        outcome,
        sold: sumSales(sales).map(({ asset, units, proceedsCents }) => ({
          ...toPosition(asset, units),
          proceeds_usd: formatUsd(proceedsCents),
        })),
        costs_usd: formatUsd(call.costs_cents),
        allocation: {
          interest: usd(call.interest_cents),
          principal: usd(call.principal_cents),
          refund_due: usd(call.surplus_cents),
        },
        surplus_usd: formatUsd(call.surplus_cents),
        deficit_usd: formatUsd(deficit),
      },
    },
  ])
  return { kind: 'ended' }
}

function toPosition(asset: string, units: bigint): { asset: string; quantity: string } {
  return { asset, quantity: formatQuantity({ asset, units }) }
}
