import type { Amount } from '../../core/money.ts'
import type { Db } from '../../db/database.ts'
import { curingOf, type Held } from '../collateral/position-sources.ts'
import type { PriceFeed, Prices } from '../collateral/prices.ts'
import type { Position } from '../collateral/valuation.ts'
import type { Holdings } from '../facilities/custody/holdings.ts'
import type { Facility } from '../facilities/facilities.ts'
import { easedDebtCents } from '../facilities/ledger/eased.ts'
import { type CureAddition, cureAdditions, cureAmounts } from './ladder/cure-amounts.ts'
import type { LadderFacts, OpenWarning, Push, Trigger } from './ladder/facts.ts'
import { evaluateRaise, type RaiseFacts } from './ladder/raise-facts.ts'
import {
  type EvaluatedCollateral,
  evaluateCollateral,
  type OtherPositions,
} from './ladder/window-values.ts'
import type { MarginPolicy, TermsOf } from './policy.ts'
import { hasSellable } from './sale-plan.ts'
import type { OpenWarningAt } from './warnings/paused.ts'

export type Case = {
  facility: Facility
  /** The facility's own. */
  policy: MarginPolicy
  /** That of the amendment that waits, if one does. */
  nextPolicy: MarginPolicy | undefined
  positions: Position[]
  /** What counts towards a cure, where it is less. */
  curing: Position[] | undefined
  collateral: EvaluatedCollateral
  pushed: Position[]
  /** What is pushed and would cure if the custodian confirmed it. */
  claimed: Position[] | undefined
  /** By the custodian's last answer, also one that is not about the push. */
  held: Held | undefined
  push: CasePush | undefined
  /** What the open warning was raised on, where the custodian may not support it. */
  raise: RaiseFacts | undefined
  /** The instant if the running pauses ended now. */
  warning: OpenWarningAt | undefined
  hasLiveCall: boolean
  lastWarningNumber: number
  lastCallNumber: number
  lastCure: LadderFacts['lastCure']
  reported: readonly ReportedCure[]
  changedBy: Trigger | undefined
}

export type CasePush = Push & { digest: Buffer; checkingSince: Date | undefined }

/** It holds the escalation until `holdsUntil` (the tenant's time). */
export type ReportedCure = {
  repaymentId: string
  delivered: Amount
  cents: bigint
  reportedAt: Date
  holdsUntil: Date
}

export type PriceView = { latest: Prices; window: readonly Prices[] | undefined }

export type MarginView = { prices: PriceFeed; termsOf: TermsOf }

export type MarginReading = MarginView & { db: Db; tenantId: string; now: Date }

export function withPositions(
  evaluated: Case,
  positions: Position[],
  prices: PriceView,
  now: Date,
): Case {
  const isSame = positions === evaluated.positions
  const counted = isSame ? evaluated : { ...evaluated, ...toCounted(undefined), positions }
  const terms = { ...othersOf(counted), now, ...valuationTerms(evaluated.policy) }
  return { ...counted, collateral: evaluateCollateral(positions, prices, terms) }
}

/** What the custodian holds, as of no earlier than `askedAt` (domain time). */
export type Confirmed = { positions: Position[]; askedAt: Date }

export function withConfirmed(
  evaluated: Case,
  confirmed: Confirmed,
  prices: PriceView,
  now: Date,
): Case {
  const { positions } = confirmed
  const { pushed, push } = evaluated
  // What was pushed after the question is not answered by it.
  const isAnswer = push !== undefined && push.receivedAt <= confirmed.askedAt
  const curing = isAnswer ? curingOf(pushed, positions) : undefined
  const terms = { now, ...valuationTerms(evaluated.policy), curing }
  const answeredAt = isAnswer ? confirmed.askedAt : undefined
  return {
    ...evaluated,
    positions,
    curing,
    claimed: undefined,
    held: { positions, readAt: confirmed.askedAt },
    collateral: evaluateCollateral(positions, prices, terms),
    push: push && { ...push, answeredAt },
  }
}

/** By the custodian's last answer, at the highest price of the window. */
export function heldHighCents({ collateral: { values }, held }: Case): bigint | undefined {
  return held && values && (values.heldCents ?? values.highCents)
}

export function toLadderFacts(evaluated: Case, trigger: Trigger, now: Date): LadderFacts {
  const { collateral, push } = evaluated
  const isPushed = push?.isNew || push?.askedSince !== undefined
  const easedCents = easedDebtCents(evaluated.facility, now)
  const changedBy = evaluated.changedBy ?? (isPushed ? 'collateral' : undefined)
  return {
    now,
    trigger: trigger === 'price' ? (changedBy ?? trigger) : trigger,
    debt: evaluated.facility.debt,
    ...(easedCents !== undefined && { easedCents }),
    values: collateral.values,
    hasSellableValue: hasSellable(collateral.latest.positions, evaluated.policy),
    ...(collateral.held && { isHeldSellable: hasSellable(collateral.held, evaluated.policy) }),
    push: push && toPushFacts(push),
    atRaise: evaluated.raise && evaluateRaise(evaluated.raise),
    warning: evaluated.warning && toWarningFacts(evaluated.warning),
    hasLiveCall: evaluated.hasLiveCall,
    ...(evaluated.facility.heldSince && { isOnHold: true }),
    lastCure: evaluated.lastCure,
    reported: reportsThatHold(evaluated).map(({ cents, holdsUntil }) => ({ cents, holdsUntil })),
  }
}

/** Those that came by the deadline. */
export function reportsThatHold({ reported, warning }: Case): ReportedCure[] {
  return reported.filter(({ reportedAt }) => warning && reportedAt <= warning.windowDeadline)
}

function toWarningFacts({ stored, dueAt, isUnevaluated, ...facts }: OpenWarningAt): OpenWarning {
  return facts
}

export function cureOf(
  { facility, collateral, policy }: Case,
  cureDeadline: Date,
  now: Date,
): ReturnType<typeof cureAmounts> {
  const lowCents = lowCentsOf(collateral)
  return cureAmounts({ debt: facility.debt, lowCents, cureDeadline, now }, policy)
}

/** Returns the collateral that `cureOf` asks for, in units of each asset alone. Empty if the floor is clear. */
export function additionsOf({ collateral, policy }: Case, collateralCents: bigint): CureAddition[] {
  if (collateralCents === 0n) return []
  const targetCents = lowCentsOf(collateral) + collateralCents
  return cureAdditions(collateral, targetCents, policy.haircuts)
}

function lowCentsOf({ values, latest }: EvaluatedCollateral): bigint {
  return values?.lowCents ?? latest.valueCents
}

export type Counted = Pick<Case, 'positions' | 'curing' | 'pushed' | 'claimed' | 'held' | 'push'>

export function toCounted(holdings: Holdings | undefined): Counted {
  if (!holdings) {
    return {
      positions: [],
      curing: undefined,
      pushed: [],
      claimed: undefined,
      held: undefined,
      push: undefined,
    }
  }
  const { positions, curing, pushed, claimed, held, changedAt, answeredAt, question } = holdings
  const push = { receivedAt: changedAt, answeredAt, ...question }
  return { positions, curing, pushed, claimed, held, push }
}

export function valuationTerms({ staleMs, haircuts }: MarginPolicy) {
  return { staleMs, haircuts }
}

export function othersOf({ curing, claimed, held, push }: Counted): OtherPositions {
  return { curing, claimed, held: push?.answeredAt ? undefined : held?.positions }
}

function toPushFacts({ receivedAt, isNew, askedSince, answeredAt, holdsUntil }: Push): Push {
  return { receivedAt, isNew, askedSince, answeredAt, holdsUntil }
}
