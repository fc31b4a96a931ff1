import { formatDecimal } from '../../../core/money.ts'
import { floorCents } from '../../../core/ratio.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import type { Position } from '../../collateral/valuation.ts'
import { appendEvents } from '../../events/append-event.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { hasDebtUnderWay } from '../../facilities/under-way-queries.ts'
import {
  insertSale,
  type LiveCall,
  type Sale,
  selectLiveCalls,
  selectSales,
  updateLiveCall,
} from '../call-queries.ts'
import { type Case, loadCase } from '../case.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import type { MarginPolicy } from '../policy.ts'
import { planNextOrder, planSale, type SaleOrder, type SaleStep } from '../sale-plan.ts'
import { toPosition } from './calls.ts'
import type { OrderCounts } from './confirm-positions.ts'
import { endCall } from './end-call.ts'

// After each of them the custodian is asked anew: not more often than is of use.
const NO_PRICE_PAUSE_MS = 30 * SECOND_MS
/** What settles the money asks for the next look (`resumeSale`); this is for what did not. */
const UNDER_WAY_PAUSE_MS = 5 * MINUTE_MS

/** What the custodian holds, and what there was of orders when it was asked. */
export type Held = OrderCounts & { positions: Position[] }

/** What a turn of a call has found to do. */
export type Turn =
  | { kind: 'ended' }
  | ({ kind: 'ask'; facility: Facility; callNumber: number } & OrderCounts)
  | { kind: 'wait'; ms: number }
  | { kind: 'place' | 'cancel'; facility: Facility; call: LiveCall; sale: Sale }

export type OrderStep = Extract<Turn, { kind: 'place' | 'cancel' }>

/** Decides a locked call's next step and stores it: an order to place, or the end of the call. */
export async function planNextStep(
  locked: LockedFacility<MarginContext>,
  held: Held | undefined,
): Promise<Turn> {
  const { tx, tenantId, facility, now, marginPolicy } = locked
  const { id: facilityId } = facility
  const [call] = await selectLiveCalls(tx, tenantId, [facilityId])
  if (!call) return { kind: 'ended' }
  const sales = await selectSales(tx, tenantId, facilityId, [call.number])
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  // An order that the custodian has taken on is its own, and only asked about.
  if (ordered?.acknowledged_at) return { kind: 'place', facility, call, sale: ordered }

  const end = async (outcome: CallOutcome): Promise<Turn> => {
    await endCall(locked, { call, sales }, outcome)
    return { kind: 'ended' }
  }
  const debtCents = totalDebtCents(facility.debt, now)
  const isSold = sales.some((sale) => (sale.filled_units ?? 0n) > 0n)
  // What nobody owes needs neither a price nor the custodian's word.
  if (debtCents === 0n) {
    if (ordered) return { kind: 'cancel', facility, call, sale: ordered }
    // Of a draw that is on its way something will be: with all sold no warning would come of it.
    if (facility.reservedCents > 0n) return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
    return await end(isSold ? 'full' : 'not_needed')
  }
  const orders = sales.length
  const settled = sales.filter((sale) => sale.status !== 'ORDERED').length
  // Neither an order nor its end may have come since: both change what there is to plan from.
  if (held?.orders !== orders || held.settled !== settled) {
    return { kind: 'ask', facility, callNumber: call.number, orders, settled }
  }

  const judged = await loadCase({ ...locked, db: tx }, facility, held.positions)
  const step = nextStep(judged, debtCents, marginPolicy)
  if (ordered) {
    return {
      kind: isStillWanted(ordered, step) ? 'place' : 'cancel',
      facility,
      call,
      sale: ordered,
    }
  }
  if (!step) return { kind: 'wait', ms: NO_PRICE_PAUSE_MS }
  if (step.kind === 'order') {
    const { positions } = judged.collateral.latest
    if (call.status === 'PENDING') {
      const { orders } = planSale({ debtCents, positions }, marginPolicy)
      await startCall(locked, call, orders)
    }
    const sale = await storeOrder(locked, call, {
      ...step.order,
      number: sales.length + 1,
    })
    return { kind: 'place', facility, call, sale }
  }
  if (step.reason !== 'nothing_sellable') return await end(isSold ? 'partial' : 'not_needed')
  // A draw will be debt too, and money that has been sent pays some: neither is known before.
  if (await hasDebtUnderWay(tx, tenantId, facilityId)) {
    return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
  }
  return await end('deficit')
}

/** What is to be sold next of a debt that is not nil; undefined while nothing can be judged. */
function nextStep(
  { collateral: { values, latest } }: Case,
  debtCents: bigint,
  policy: MarginPolicy,
): SaleStep | undefined {
  if (!values) return undefined
  // At the highest value of the window: one bad tick sells nothing.
  if (values.highCents >= floorCents(debtCents, policy.cureLtvPpm)) {
    return { kind: 'stop', reason: 'floor_clear' }
  }
  return planNextOrder({ debtCents, positions: latest.positions }, policy)
}

/**
 * Whether an order of an earlier turn, which the custodian may never have heard of, is to be placed
 * again: where one that is planned now would sell at least as much of the same.
 */
function isStillWanted({ asset, ordered_units: units }: Sale, step: SaleStep | undefined): boolean {
  return step?.kind === 'order' && step.order.asset === asset && step.order.units >= units
}

async function startCall(
  { tx, tenantId, facility, marginPolicy, now }: LockedFacility<MarginContext>,
  call: LiveCall,
  orders: readonly SaleOrder[],
): Promise<void> {
  const { id } = facility
  const planned = orders.map(({ asset, units }) => ({ asset, units: String(units) }))
  await updateLiveCall(tx, tenantId, call, {
    status: 'SELLING',
    started_at: now,
    planned: JSON.stringify(planned) as unknown as typeof planned,
    target_ltv_ppm: marginPolicy.targetLtvPpm,
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
  { tx, tenantId, facility, now }: LockedFacility,
  call: LiveCall,
  order: SaleOrder & { number: number },
): Promise<Sale> {
  const row = {
    tenant_id: tenantId,
    facility_id: facility.id,
    call_number: call.number,
    number: order.number,
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
