import {
  divideUp,
  formatDecimal,
  fractionDigits,
  MONEY_ASSETS,
  maxOf,
  minOf,
  unitsPerWhole,
} from '../../core/money.ts'
import { floorCents, ONE_PPM } from '../../core/ratio.ts'
import { CENTS_PER_USD, ONE_USD, PRICE_DIGITS, type Prices } from '../collateral/prices.ts'
import {
  countedCents,
  countedPrice,
  marketCents,
  type Position,
  type ValuedPosition,
} from '../collateral/valuation.ts'
import type { CustodianOrder } from '../facilities/ports.ts'
import type { MarginPolicy } from './policy.ts'

export type SaleState = { debtCents: bigint; positions: readonly ValuedPosition[] }

/** Dollars and USDC are taken in kind, without a fee. */
export type SaleOrder = CustodianOrder & {
  grossCents: bigint
}

export type Fill = Position & { proceedsCents: bigint; costsCents: bigint }

export type StopReason = 'debt_nil' | 'floor_clear' | 'nothing_sellable'

export type SaleStep = { kind: 'order'; order: SaleOrder } | { kind: 'stop'; reason: StopReason }

export type SalePlan = { orders: SaleOrder[]; end: SaleState; reason: StopReason }

type Lot = ValuedPosition & { price: bigint; haircutPpm: bigint }

/** Sells down to the target, or the whole debt where the ratio is deep or only dust would remain.
 * Never more than is held or, but for rounding up, than pays the debt off. Decided again after
 * every fill. */
export function planNextOrder({ debtCents, positions }: SaleState, policy: MarginPolicy): SaleStep {
  if (debtCents === 0n) return { kind: 'stop', reason: 'debt_nil' }
  const valueCents = positions.reduce((sum, position) => sum + position.valueCents, 0n)
  if (valueCents >= floorCents(debtCents, policy.cureLtvPpm)) {
    return { kind: 'stop', reason: 'floor_clear' }
  }
  const [lot] = sellableLots(positions, policy).sort(compareLots)
  if (!lot) return { kind: 'stop', reason: 'nothing_sellable' }

  const wantedCents = grossWanted(debtCents, valueCents, lot, policy)
  return {
    kind: 'order',
    order: {
      asset: lot.asset,
      units: minOf(lot.units, unitsWorth(lot, wantedCents)),
      inKind: isTakenInKind(lot.asset),
      grossCents: minOf(wantedCents, marketCents(lot, lot.price)),
    },
  }
}

/** At the highest value of the window: one bad price sells nothing. */
export function planInWindow(state: SaleState, highCents: bigint, policy: MarginPolicy): SaleStep {
  if (highCents >= floorCents(state.debtCents, policy.cureLtvPpm)) {
    return { kind: 'stop', reason: 'floor_clear' }
  }
  return planNextOrder(state, policy)
}

export function planSale(start: SaleState, policy: MarginPolicy): SalePlan {
  const orders: SaleOrder[] = []
  let end = start
  for (;;) {
    const step = planNextOrder(end, policy)
    if (step.kind === 'stop') return { orders, end, reason: step.reason }
    orders.push(step.order)
    end = applyFill(end, fillAsPlanned(end, step.order, policy))
  }
}

export function fillAsPlanned(
  { positions }: SaleState,
  { asset, units }: SaleOrder,
  policy: MarginPolicy,
): Fill {
  const lot = positions.filter(isLot).find((candidate) => candidate.asset === asset)
  if (!lot) throw new Error(`no ${asset} is held at a price`)
  const proceedsCents = marketCents({ asset, units }, lot.price)
  return { asset, units, proceedsCents, costsCents: costCents(asset, proceedsCents, policy) }
}

/** A sale never adds debt: costs above its proceeds are not the borrower's. */
export function applyFill({ debtCents, positions }: SaleState, fill: Fill): SaleState {
  const paidCents = maxOf(0n, fill.proceedsCents - fill.costsCents)
  return {
    debtCents: maxOf(0n, debtCents - paidCents),
    positions: positions.map((position) =>
      position.asset === fill.asset ? withoutUnits(position, fill.units) : position,
    ),
  }
}

/** Before costs. Selling g pays g·(1 − fee) of the debt D and takes g·k off the value V, where k is
 * what the collateral counts for each dollar sold: the target t is met at D − g·(1 − fee) = t·(V −
 * g·k). */
function grossWanted(debtCents: bigint, valueCents: bigint, lot: Lot, policy: MarginPolicy) {
  const { targetLtvPpm, deepLtvPpm, dustCents } = policy
  const keptPpm = ONE_PPM - feePpm(lot.asset, policy)
  const countedPpm = ONE_PPM - lot.haircutPpm
  const payoffCents = divideUp(debtCents * ONE_PPM, keptPpm)
  if (debtCents * ONE_PPM >= deepLtvPpm * valueCents) return payoffCents

  const missing = debtCents * ONE_PPM - targetLtvPpm * valueCents
  const gained = keptPpm * ONE_PPM - targetLtvPpm * countedPpm
  // Where selling cannot lower the ratio to the target, only paying off helps.
  if (missing <= 0n || gained <= 0n) return payoffCents
  const targetCents = divideUp(missing * ONE_PPM, gained)
  const isDustLeft = (valueCents - dustCents) * ONE_PPM < targetCents * countedPpm
  return isDustLeft ? payoffCents : targetCents
}

/** Whether a position is named by the version, has a price and would bring more than its costs. What
 * counts for nothing, at a haircut of 1, is sellable too. */
export function hasSellable(positions: readonly ValuedPosition[], policy: MarginPolicy): boolean {
  return sellableLots(positions, policy).length > 0
}

/** Of each asset, exact decimal text: a position is sellable where its units times this are at least 1. */
export function saleRatesAt(prices: Prices, policy: MarginPolicy): Map<string, string> {
  const rates = [...policy.haircuts.keys()].map((asset) => {
    const price = countedPrice(asset, prices) ?? 0n
    // A fee is below a half and rounded up: two cents bring more than it, one cent does not.
    const halves = feePpm(asset, policy) > 0n ? 5n : 10n
    const digits = fractionDigits(asset) + PRICE_DIGITS + 1
    return [asset, formatDecimal(price * CENTS_PER_USD * halves, digits)] as const
  })
  return new Map(rates)
}

function sellableLots(positions: readonly ValuedPosition[], policy: MarginPolicy): Lot[] {
  return positions.filter(isLot).filter((lot) => {
    const proceedsCents = marketCents(lot, lot.price)
    return proceedsCents > costCents(lot.asset, proceedsCents, policy)
  })
}

function isLot(position: ValuedPosition): position is Lot {
  return position.price !== undefined && position.haircutPpm !== undefined
}

/** Dollars, USDC, then by the largest haircut, then by code. */
export function compareLots(
  a: Pick<Lot, 'asset' | 'haircutPpm'>,
  b: Pick<Lot, 'asset' | 'haircutPpm'>,
): number {
  const rank = saleRank(a.asset) - saleRank(b.asset)
  if (rank !== 0) return rank
  if (a.haircutPpm !== b.haircutPpm) return a.haircutPpm > b.haircutPpm ? -1 : 1
  return a.asset < b.asset ? -1 : 1
}

function isTakenInKind(asset: string): boolean {
  return MONEY_ASSETS.includes(asset)
}

function saleRank(asset: string): number {
  const rank = MONEY_ASSETS.indexOf(asset)
  return rank === -1 ? MONEY_ASSETS.length : rank
}

export function feePpm(asset: string, policy: MarginPolicy): bigint {
  return isTakenInKind(asset) ? 0n : policy.saleFeePpm
}

function costCents(asset: string, proceedsCents: bigint, policy: MarginPolicy): bigint {
  return divideUp(proceedsCents * feePpm(asset, policy), ONE_PPM)
}

function unitsWorth({ asset, price }: Lot, cents: bigint): bigint {
  return divideUp(cents * unitsPerWhole(asset) * ONE_USD, price * CENTS_PER_USD)
}

function withoutUnits(position: ValuedPosition, sold: bigint): ValuedPosition {
  const units = maxOf(0n, position.units - sold)
  if (!isLot(position)) return { ...position, units }
  const { asset, price, haircutPpm } = position
  return { ...position, units, valueCents: countedCents({ asset, units }, price, haircutPpm) }
}
