import type { Sealer } from '../../../core/sealing.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time.ts'
import type { CallOutcome } from '../../../db/schema/margin.ts'
import type { Position } from '../../collateral/valuation.ts'
import { appendEvents, type EventToAppend } from '../../events/append/append.ts'
import type { Facility } from '../../facilities/facilities.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { easedDebtCents } from '../../facilities/ledger/eased.ts'
import type { LockedFacility } from '../../facilities/locked-facility.ts'
import { hasDebtUnderWay } from '../../facilities/under-way-queries.ts'
import type { LiveCall, Sale } from '../call-queries.ts'
import type { Case, PriceView } from '../case.ts'
import { instantsOf } from '../decisions/decision-record.ts'
import type { MarginContext } from '../evaluation/evaluate-facilities.ts'
import { later } from '../ladder/deadlines.ts'
import { loadCases, loadPrices } from '../load-cases.ts'
import type { MarginPolicy } from '../policy.ts'
import { type EndedCall, makeReceipts } from '../receipts/make-receipts.ts'
import { type Market, type PlanRecord, recordPlan } from '../receipts/plan-record.ts'
import { planInWindow, planSale, type SaleStep } from '../sale-plan.ts'
import type { OrderCounts } from './confirm-positions.ts'
import { endCall } from './end-call.ts'
import type { EscalationContext } from './escalate.ts'
import { type Live, loadLive } from './live-calls.ts'
import { startCall, storeOrder } from './store-order.ts'

const NO_PRICE_PAUSE_MS = 30 * SECOND_MS
/** Settled money resumes the call sooner (`resumeSales`). */
const UNDER_WAY_PAUSE_MS = 5 * MINUTE_MS
/** The end of the hold resumes the call sooner. */
const HELD_PAUSE_MS = HOUR_MS

/** `orders` and `settled` as they were when the custodian was asked. */
export type ConfirmedHoldings = OrderCounts & { positions: Position[] }

export type CallStep =
  | { kind: 'ended' }
  | AskStep
  | { kind: 'wait'; ms: number }
  | { kind: 'place' | 'cancel'; facility: Facility; call: LiveCall; sale: Sale }

export type AskStep = { kind: 'ask'; facility: Facility; callNumber: number } & OrderCounts

export type OrderStep = Extract<CallStep, { kind: 'place' | 'cancel' }>

/** `sealer` opens the key that signs receipts. */
export type SaleContext = EscalationContext & { sealer: Sealer }

type Planning = Live & {
  locked: LockedFacility<MarginContext>
  confirmed: ConfirmedHoldings | undefined
  events: EventToAppend[]
  ended: EndedCall[]
}

export async function planNextStep(
  locked: LockedFacility<MarginContext>,
  confirmed: ConfirmedHoldings | undefined,
  sealer: Sealer,
): Promise<CallStep> {
  const { id } = locked.facility
  const steps = await planNextSteps({ ...locked, sealer }, [locked], new Map([[id, confirmed]]))
  const step = steps.get(id)
  if (!step) throw new Error(`no step was planned for the call of ${id}`)
  return step
}

/** Stores the step too: an order, or the end of the call. */
export async function planNextSteps(
  margin: MarginContext & { sealer: Sealer },
  facilities: readonly LockedFacility<MarginContext>[],
  confirmedOf: ReadonlyMap<string, ConfirmedHoldings | undefined>,
): Promise<Map<string, CallStep>> {
  const { tx, tenantId } = margin
  const events: EventToAppend[] = []
  const ended: EndedCall[] = []
  const steps = new Map<string, CallStep>()
  const toPlan: Planning[] = []
  const lockedOf = new Map(facilities.map((locked) => [locked.facility.id, locked]))
  for (const id of lockedOf.keys()) steps.set(id, { kind: 'ended' })
  const lives = await loadLive(
    tx,
    tenantId,
    facilities.map(({ facility }) => facility),
  )
  for (const live of lives) {
    const { id } = live.facility
    const locked = lockedOf.get(id)
    if (!locked) continue
    const planning = { ...live, locked, confirmed: confirmedOf.get(id), events, ended }
    const step = await planWithoutPositions(planning)
    steps.delete(id)
    if (step) steps.set(id, step)
    else toPlan.push(planning)
  }
  const { cases, marketBy } = await loadConfirmedCases(margin, toPlan)
  for (const planning of toPlan) {
    const { id } = planning.facility
    const evaluated = cases.get(id)
    if (!evaluated) continue
    const plan = recordPlan(evaluated, planning.locked.now, await marketBy(evaluated.policy))
    steps.set(id, await planByPositions(planning, evaluated, plan))
  }
  await makeReceipts(margin, ended, margin.sealer)
  appendEvents(tx, tenantId, events)
  return steps
}

type MarketBy = (policy: MarginPolicy) => Promise<Market>

async function loadConfirmedCases(
  margin: MarginContext,
  lives: readonly Planning[],
): Promise<{ cases: Map<string, Case>; marketBy: MarketBy }> {
  // Not before the last act of any: what was sold before it counts no more.
  const now = lives.reduce((latest, { locked }) => later(latest, locked.now), margin.now)
  const reading = { ...margin, now, db: margin.tx }
  const facilities = lives.map(({ facility }) => facility)
  const positionsOf = new Map(
    lives.map(({ facility, confirmed }) => [facility.borrowerId, confirmed?.positions ?? []]),
  )
  const pricesBy = loadPrices(reading)
  const markets = new Map<PriceView, Promise<Market>>()
  const marketBy: MarketBy = async (policy) => {
    const view = await pricesBy(policy)
    const loading = async () => {
      return { view, quotes: await margin.prices.quotesAt(margin.tx, instantsOf(view)) }
    }
    const market = markets.get(view) ?? loading()
    markets.set(view, market)
    return await market
  }
  const cases = await loadCases(reading, facilities, pricesBy, positionsOf)
  return { cases: new Map(cases.map((one) => [one.facility.id, one])), marketBy }
}

export function askAbout({ facility, call, sales }: Live): AskStep {
  const settled = sales.filter((sale) => sale.status !== 'ORDERED').length
  return { kind: 'ask', facility, callNumber: call.number, orders: sales.length, settled }
}

export function needsPositions({ facility, sales }: Live, now: Date): boolean {
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  if (ordered?.acknowledged_at || ordered?.recalled_at || isStopped(facility, sales)) return false
  return totalDebtCents(facility.debt, now) > 0n
}

async function planWithoutPositions(planning: Planning): Promise<CallStep | undefined> {
  const { facility, call, sales, confirmed } = planning
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  if (ordered?.recalled_at) return { kind: 'cancel', facility, call, sale: ordered }
  // An acknowledged order is only asked about.
  if (ordered?.acknowledged_at) return { kind: 'place', facility, call, sale: ordered }
  if (isStopped(facility, sales) && totalDebtCents(facility.debt, planning.locked.now) > 0n) {
    return { kind: 'wait', ms: HELD_PAUSE_MS }
  }
  // Without debt it needs neither price nor positions.
  if (!needsPositions(planning, planning.locked.now)) {
    if (ordered) return { kind: 'cancel', facility, call, sale: ordered }
    // The draw under way will be debt: with all sold, no warning would follow.
    if (facility.reservedCents > 0n) return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
    const plan = recordPlan(
      { facility, policy: planning.locked.marginPolicy, positions: [] },
      planning.locked.now,
      undefined,
    )
    return await end(planning, isSold(sales) ? 'full' : 'not_needed', {
      ...plan,
      reason: 'debt_nil',
    })
  }
  const ask = askAbout(planning)
  // A later order, or the end of one, changes what a plan starts from.
  return confirmed?.orders === ask.orders && confirmed.settled === ask.settled ? undefined : ask
}

async function planByPositions(
  planning: Planning,
  evaluated: Case,
  plan: PlanRecord,
): Promise<CallStep> {
  const { locked, facility, call, sales, events } = planning
  const { tx, tenantId, now, marginPolicy } = locked
  const ordered = sales.find((sale) => sale.status === 'ORDERED')
  // Debt that a message has brought sells nothing yet: what it leaves is for the next warning.
  const debtCents = easedDebtCents(facility, now) ?? totalDebtCents(facility.debt, now)
  const planned = nextOrder(evaluated, debtCents, marginPolicy)
  if (ordered) {
    const kind = isStillWanted(ordered, planned) ? 'place' : 'cancel'
    return { kind, facility, call, sale: ordered }
  }
  if (!planned) return { kind: 'wait', ms: NO_PRICE_PAUSE_MS }
  if (planned.kind === 'order') {
    // A fill may end the call; nothing more is ordered.
    if (facility.heldSince) return { kind: 'wait', ms: HELD_PAUSE_MS }
    const { positions } = evaluated.collateral.latest
    if (call.status === 'PENDING') {
      const { orders } = planSale({ debtCents, positions }, marginPolicy)
      events.push(await startCall(locked, call, orders))
    }
    const order = { ...planned.order, number: sales.length + 1 }
    const sale = await storeOrder(locked, call, order, plan)
    return { kind: 'place', facility, call, sale }
  }
  const last = { ...plan, reason: planned.reason }
  if (planned.reason !== 'nothing_sellable') {
    return await end(planning, isSold(sales) ? 'partial' : 'not_needed', last)
  }
  // A draw will be debt, and reported money will pay some: wait for both.
  if (await hasDebtUnderWay(tx, tenantId, facility.id)) {
    return { kind: 'wait', ms: UNDER_WAY_PAUSE_MS }
  }
  return await end(planning, 'deficit', last)
}

async function end(
  { locked, call, sales, events, ended }: Planning,
  outcome: CallOutcome,
  last: EndedCall['end'],
): Promise<CallStep> {
  const { event, deficitCents } = await endCall(locked, { call, sales }, outcome)
  events.push(event)
  ended.push({ locked, call, sales, outcome, deficitCents, end: last })
  return { kind: 'ended' }
}

/** Under a hold no sale starts. One whose order was sent before may still end. */
const isStopped = ({ heldSince }: Facility, sales: readonly Sale[]) =>
  heldSince !== undefined && sales.length === 0

const isSold = (sales: readonly Sale[]) => sales.some((sale) => (sale.filled_units ?? 0n) > 0n)

function nextOrder(
  { collateral: { values, latest } }: Case,
  debtCents: bigint,
  policy: MarginPolicy,
): SaleStep | undefined {
  if (!values) return undefined
  return planInWindow({ debtCents, positions: latest.positions }, values.highCents, policy)
}

/** The custodian may not know it: placed again while a new plan would sell as much of the asset. */
function isStillWanted(
  { asset, ordered_units: units }: Sale,
  planned: SaleStep | undefined,
): boolean {
  return planned?.kind === 'order' && planned.order.asset === asset && planned.order.units >= units
}
