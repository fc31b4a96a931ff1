import { formatDecimal } from '../../../core/money.ts'
import { floorCents } from '../../../core/ratio.ts'
import { MINUTE_MS, SECOND_MS } from '../../../core/time.ts'
import type { Db } from '../../../db/database.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import type { Position } from '../../collateral/valuation.ts'
import { appendEvents, type EventToAppend } from '../../events/append-event.ts'
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
import { type Case, loadCases, loadPrices } from '../case.ts'
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
  | AskTurn
  | { kind: 'wait'; ms: number }
  | { kind: 'place' | 'cancel'; facility: Facility; call: LiveCall; sale: Sale }

export type AskTurn = { kind: 'ask'; facility: Facility; callNumber: number } & OrderCounts

export type OrderStep = Extract<Turn, { kind: 'place' | 'cancel' }>

/** A live call with its orders. */
export type Live = { facility: Facility; call: LiveCall; sales: readonly Sale[] }

/** The same under the facility's lock. Events are appended last: that locks the tenant's counter. */
type Planning = Live & {
  locked: LockedFacility<MarginContext>
  held: Held | undefined
  events: EventToAppend[]
}

/** Decides the next step of a locked facility's call and stores it: an order, or its end. */
export async function planNextStep(
  locked: LockedFacility<MarginContext>,
  held: Held | undefined,
): Promise<Turn> {
  const { id } = locked.facility
  const turns = await planNextSteps(locked, [locked], new Map([[id, held]]))
  return turns.get(id) ?? { kind: 'ended' }
}

/** Decides and stores the next step of the call of each of these locked facilities that has one. */
export async function planNextSteps(
  margin: MarginContext,
  facilities: readonly LockedFacility<MarginContext>[],
  heldOf: ReadonlyMap<string, Held | undefined>,
): Promise<Map<string, Turn>> {
  const { tx, tenantId } = margin
  const events: EventToAppend[] = []
  const turns = new Map<string, Turn>()
  const toPlan: Planning[] = []
  const lockedOf = new Map(facilities.map((locked) => [locked.facility.id, locked]))
  const lives = await loadLive(
    tx,
    tenantId,
    facilities.map(({ facility }) => facility),
  )
  for (const live of lives) {
    const { id } = live.facility
    const locked = lockedOf.get(id)
    if (!locked) continue
    const planning = { ...live, locked, held: heldOf.get(id), events }
    const turn = await planWithoutPositions(planning)
    if (turn) turns.set(id, turn)
    else toPlan.push(planning)
  }
  const cases = await loadHeld(margin, toPlan)
  for (const planning of toPlan) {
    const { id } = planning.facility
    const judged = cases.get(id)
    if (judged) turns.set(id, await planByPositions(planning, judged))
  }
  await appendEvents(tx, tenantId, events)
  return turns
}

/** The live calls of facilities, with their orders. */
export async function loadLive(
  db: Db,
  tenantId: string,
  facilities: readonly Facility[],
): Promise<Live[]> {
  const ids = facilities.map(({ id }) => id)
  const calls = await selectLiveCalls(db, tenantId, ids)
  if (calls.length === 0) return []
  const callOf = new Map(calls.map((call) => [call.facility_id, call]))
  const numbers = [...new Set(calls.map(({ number }) => number))]
  const sales = await selectSales(db, tenantId, [...callOf.keys()], numbers)
  return facilities.flatMap((facility) => {
    const call = callOf.get(facility.id)
    if (!call) return []
    const isOfCall = (sale: Sale) =>
      sale.facility_id === facility.id && sale.call_number === call.number
    return [{ facility, call, sales: sales.filter(isOfCall) }]
  })
}

/** The cases of facilities by what the custodian holds for each. */
async function loadHeld(
  margin: MarginContext,
  lives: readonly Planning[],
): Promise<Map<string, Case>> {
  if (lives.length === 0) return new Map()
  const reading = { ...margin, db: margin.tx }
  const facilities = lives.map(({ facility }) => facility)
  const positionsOf = new Map(
    lives.map(({ facility, held }) => [facility.borrowerId, held?.positions ?? []]),
  )
  const cases = await loadCases(reading, facilities, await loadPrices(reading), positionsOf)
  return new Map(cases.map((one) => [one.facility.id, one]))
}

/** What a call waits to learn before it can be planned, or the step for which it need not. */
export function askAbout({ facility, call, sales }: Live): AskTurn {
  const settled = sales.filter((sale) => sale.status !== 'ORDERED').length
  return { kind: 'ask', facility, callNumber: call.number, orders: sales.length, settled }
}

/** Whether the next step of a call follows from what the custodian holds. */
export function needsPositions({ facility, sales }: Live, now: Date): boolean {
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  return !ordered?.acknowledged_at && totalDebtCents(facility.debt, now) > 0n
}

/** The step of a call that needs no positions, or a question for them; undefined once they are there. */
async function planWithoutPositions(planning: Planning): Promise<Turn | undefined> {
  const { facility, call, sales, held } = planning
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  // An order that the custodian has taken on is its own, and only asked about.
  if (ordered?.acknowledged_at) return { kind: 'place', facility, call, sale: ordered }
  // What nobody owes needs neither a price nor the custodian's answer.
  if (!needsPositions(planning, planning.locked.now)) {
    if (ordered) return { kind: 'cancel', facility, call, sale: ordered }
    // Of a draw that is on its way something will be: with all sold no warning would come of it.
    if (facility.reservedCents > 0n) return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
    return await end(planning, isSold(sales) ? 'full' : 'not_needed')
  }
  const ask = askAbout(planning)
  // Neither an order nor its end may have come since: both change what there is to plan from.
  return held?.orders === ask.orders && held.settled === ask.settled ? undefined : ask
}

async function planByPositions(planning: Planning, judged: Case): Promise<Turn> {
  const { locked, facility, call, sales, events } = planning
  const { tx, tenantId, now, marginPolicy } = locked
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  const debtCents = totalDebtCents(facility.debt, now)
  const step = nextStep(judged, debtCents, marginPolicy)
  if (ordered) {
    const kind = isStillWanted(ordered, step) ? 'place' : 'cancel'
    return { kind, facility, call, sale: ordered }
  }
  if (!step) return { kind: 'wait', ms: NO_PRICE_PAUSE_MS }
  if (step.kind === 'order') {
    const { positions } = judged.collateral.latest
    if (call.status === 'PENDING') {
      const { orders } = planSale({ debtCents, positions }, marginPolicy)
      events.push(await startCall(locked, call, orders))
    }
    const sale = await storeOrder(locked, call, { ...step.order, number: sales.length + 1 })
    return { kind: 'place', facility, call, sale }
  }
  if (step.reason !== 'nothing_sellable') {
    return await end(planning, isSold(sales) ? 'partial' : 'not_needed')
  }
  // A draw will be debt too, and money that has been sent pays some: neither is known before.
  if (await hasDebtUnderWay(tx, tenantId, facility.id)) {
    return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
  }
  return await end(planning, 'deficit')
}

async function end(planning: Planning, outcome: CallOutcome): Promise<Turn> {
  const { locked, call, sales, events } = planning
  events.push(await endCall(locked, { call, sales }, outcome))
  return { kind: 'ended' }
}

const isSold = (sales: readonly Sale[]) => sales.some((sale) => (sale.filled_units ?? 0n) > 0n)

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
): Promise<EventToAppend> {
  const { id } = facility
  const planned = orders.map(({ asset, units }) => ({ asset, units: String(units) }))
  await updateLiveCall(tx, tenantId, call, {
    status: 'SELLING',
    started_at: now,
    planned: JSON.stringify(planned) as unknown as typeof planned,
    target_ltv_ppm: marginPolicy.targetLtvPpm,
  })
  return {
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
  }
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
