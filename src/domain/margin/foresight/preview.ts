import { Refusal } from '../../../core/errors.ts'
import { type Amount, formatUsd } from '../../../core/money.ts'
import { addMs, DAY_MS } from '../../../core/time.ts'
import type { Position } from '../../collateral/valuation.ts'
import {
  type DrawOn,
  freshPrice,
  priceUnavailable,
  refuseDraw,
} from '../../facilities/draws/refuse-draw.ts'
import { onHold } from '../../facilities/holds/on-hold.ts'
import { creditCents, debitCents } from '../../facilities/ledger/conversion.ts'
import { accrue, addPrincipal, applyPayment } from '../../facilities/ledger/debt.ts'
import type { Provisional } from '../../facilities/ledger/provisional.ts'
import type { LendingPolicy } from '../../facilities/policy.ts'
import { blockedBorrower } from '../../onboarding/borrowers.ts'
import { nothingDrawn } from '../../repayments/repayments.ts'
import type { Case, PriceView } from '../case.ts'
import {
  type Course,
  changeFacilityTo,
  changePositions,
  changePrices,
  evaluate,
  passTime,
  startCourse,
} from './course.ts'

export const ACTS = ['draw', 'repayment', 'withdrawal'] as const

/** In this order: collateral moves, repayment, draw, prices change, time passes. */
export type Acts = {
  deposit: readonly Position[]
  withdrawal: readonly Position[]
  repayment: Amount | undefined
  draw: Amount | undefined
  prices: ReadonlyMap<string, bigint>
  days: number
}

export type ActFacts = {
  portfolioAgeMs: number | undefined
  isBlocked: boolean
  deficitCents: bigint
  hasDrawn: boolean
  provisional: Provisional
}

export type ActRefusal = { act: (typeof ACTS)[number]; code: string; detail: string }

export type Preview = { course: Course; refusals: ActRefusal[] }

type Playing = Preview & { policy: LendingPolicy; facts: ActFacts }

/** Pure. What is refused is left out of what follows. */
export function previewActs(
  { evaluated, prices, now }: { evaluated: Case; prices: PriceView; now: Date },
  facts: ActFacts,
  acts: Acts,
  lending: LendingPolicy,
): Preview {
  const { policy } = evaluated
  const course = startCourse(evaluated, prices, now)
  let playing: Playing = { course, refusals: [], policy: lending, facts }
  playing = moveCollateral(playing, acts)
  if (acts.repayment) playing = repay(playing, acts.repayment)
  if (acts.draw) playing = draw(playing, acts.draw)
  const changed = changePrices(playing.course, acts.prices)
  const leastMs = acts.prices.size > 0 ? policy.confirmMs : 0
  const until = addMs(now, Math.max(leastMs, acts.days * DAY_MS))
  const { refusals } = playing
  return { course: until > now ? passTime(changed, until) : changed, refusals }
}

function moveCollateral(playing: Playing, { deposit, withdrawal }: Acts): Playing {
  if (deposit.length === 0 && withdrawal.length === 0) return playing
  const { course } = playing
  const added = addUnits(course.evaluated.positions, deposit, 1n)
  const left = addUnits(added, withdrawal, -1n)
  const refused = refuseMissing(left) ?? refuseBelowFloor(changePositions(course, left))
  const isRefused = withdrawal.length > 0 && refused !== undefined
  const refusals = isRefused ? [...playing.refusals, refused] : playing.refusals
  if (isRefused && deposit.length === 0) return { ...playing, refusals }
  const moved = changePositions(course, isRefused ? added : left)
  const facts = { ...playing.facts, portfolioAgeMs: 0 }
  return { ...playing, course: evaluate(moved, 'collateral'), refusals, facts }
}

function addUnits(
  positions: readonly Position[],
  moved: readonly Position[],
  sign: 1n | -1n,
): Position[] {
  const unitsOf = new Map(positions.map(({ asset, units }) => [asset, units]))
  for (const { asset, units } of moved) {
    unitsOf.set(asset, (unitsOf.get(asset) ?? 0n) + sign * units)
  }
  return [...unitsOf].map(([asset, units]) => ({ asset, units }))
}

function refuseMissing(positions: readonly Position[]): ActRefusal | undefined {
  const short = positions.find(({ units }) => units < 0n)
  const detail = `The borrower holds less ${short?.asset} than is to be withdrawn.`
  return short && { act: 'withdrawal', code: 'not_held', detail }
}

function refuseBelowFloor({ evaluated: { collateral, facility } }: Course): ActRefusal | undefined {
  if (collateral.latest.valueCents >= facility.custodianFloorCents) return undefined
  const floor = formatUsd(facility.custodianFloorCents)
  const detail = `The custodian keeps collateral worth ${floor} USD.`
  return { act: 'withdrawal', code: 'below_floor', detail }
}

function repay(playing: Playing, amount: Amount): Playing {
  const { course, facts } = playing
  const { facility } = course.evaluated
  return attempt(playing, 'repayment', () => {
    if (!facts.hasDrawn) throw nothingDrawn()
    // The last accepted price, however old: money that has arrived is booked.
    const price = course.prices.latest.get(amount.asset)
    if (!price) throw priceUnavailable()
    const cents = creditCents(amount, price.price)
    const accrued = accrue(facility.debt, course.now)
    const { debt, allocation } = applyPayment(accrued, cents)
    const refundDueCents = facility.refundDueCents + allocation.refundCents
    const paid = changeFacilityTo(course, { ...facility, debt, refundDueCents })
    return evaluate(paid, 'repayment')
  })
}

function draw(playing: Playing, amount: Amount): Playing {
  const { course, policy, facts } = playing
  const { facility, collateral, warning, hasLiveCall } = course.evaluated
  return attempt(playing, 'draw', () => {
    if (facility.heldSince) throw onHold()
    if (facts.isBlocked) throw blockedBorrower()
    const price = freshPrice(course.prices.latest, amount.asset, policy, course.now)
    const drawCents = debitCents(amount, price)
    const { portfolioAgeMs, deficitCents, provisional } = facts
    const isClear = warning === undefined && !hasLiveCall
    const valuation = collateral.latest
    const on: DrawOn = { facility, deficitCents, provisional, valuation, portfolioAgeMs, isClear }
    const refusal = refuseDraw(on, { drawCents, price }, policy, course.now)
    if (refusal) throw new Refusal(refusal.code, refusal.detail)
    const debt = addPrincipal(accrue(facility.debt, course.now), drawCents)
    return evaluate(changeFacilityTo(course, { ...facility, debt }), 'price')
  })
}

function attempt(playing: Playing, act: ActRefusal['act'], change: () => Course): Playing {
  try {
    return { ...playing, course: change() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, message: detail } = error
    return { ...playing, refusals: [...playing.refusals, { act, code, detail }] }
  }
}
