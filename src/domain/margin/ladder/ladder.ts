import { maxOf } from '../../../core/money.ts'
import { floorCents } from '../../../core/ratio.ts'
import { addMs } from '../../../core/time.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { EASED_MS } from '../../facilities/ledger/eased.ts'
import type { MarginPolicy, Tier } from '../policy.ts'
import { earlier, later, windowDeadline, windowOf } from './deadlines.ts'
import type { LadderDecision, LadderFacts, OpenWarning, Push, WindowValues } from './facts.ts'
import { wasInBreach } from './raise-facts.ts'
import { isCritical, tierAt } from './tiers.ts'

type Raise = Extract<LadderDecision, { kind: 'raise' | 'worsen' }>

const NONE: LadderDecision = { kind: 'none' }

/** Decides by these facts alone. A price must hold for the whole window: raise, tier and critical
 * use its highest value, a cure its lowest. Deposits, withdrawals and repayments count at once. */
export function decideLadder(facts: LadderFacts, policy: MarginPolicy): LadderDecision {
  if (facts.hasLiveCall) return NONE
  const debtCents = totalDebtCents(facts.debt, facts.now)
  const decision = facts.warning
    ? decideOpen(facts, facts.warning, debtCents, policy)
    : decideClear(facts, debtCents, policy)
  if (decision.kind === 'escalate' && facts.isOnHold) return NONE
  const isRaise = decision.kind === 'raise' || decision.kind === 'worsen'
  return isRaise ? inQuestion(facts, decision, debtCents, policy) : decision
}

/** A raise by a push waits for the custodian, not one that its last answer supports by itself. */
function inQuestion(
  { push, values, now, easedCents }: LadderFacts,
  raise: Raise,
  debtCents: bigint,
  policy: MarginPolicy,
): LadderDecision {
  const isAsked = push && !push.answeredAt && (push.isNew || push.askedSince !== undefined)
  if (!isAsked || !values) return raise
  const { highCents, heldCents } = values
  const soldFor = easedCents ?? debtCents
  if (heldCents === undefined) return afterSilence(raise, push, now, policy)
  const isSupported =
    (tierAt(debtCents, heldCents, policy) ?? 0) >= raise.tier &&
    (!isCritical(soldFor, highCents, policy) || isCritical(soldFor, heldCents, policy))
  return isSupported ? raise : afterSilence(raise, push, now, policy)
}

function afterSilence(
  raise: Raise,
  { askedSince }: Push,
  now: Date,
  { silenceMs }: MarginPolicy,
): LadderDecision {
  const until = addMs(askedSince ?? now, silenceMs)
  return now < until ? { kind: 'ask', until } : raise
}

function decideClear(facts: LadderFacts, debtCents: bigint, policy: MarginPolicy): LadderDecision {
  const { values, now } = facts
  if (!values || debtCents < policy.leastCents) return NONE
  if (!facts.hasSellableValue) return decideUnsellable(facts, values, policy)
  const tier = tierAt(debtCents, values.highCents, policy)
  if (tier === undefined) return NONE
  if (isCritical(facts.easedCents ?? debtCents, values.highCents, policy)) {
    return { kind: 'raise', tier: 3, cureDeadline: now }
  }
  const ends = windowDeadline(facts, tier, policy)
  return { kind: 'raise', tier, cureDeadline: later(ends, leastDeadline(facts, tier, policy)) }
}

/** A warning that only a message has brought has its two hours, however few the policy gives. */
function leastDeadline(
  { values, easedCents, now }: LadderFacts,
  tier: Tier,
  policy: MarginPolicy,
): Date {
  if (easedCents === undefined || !values) return now
  const isBrought = (tierAt(easedCents, values.highCents, policy) ?? 0) < tier
  return isBrought ? addMs(now, EASED_MS) : now
}

/** That nothing can be sold is for the custodian to answer, again from time to time. */
function decideUnsellable(
  facts: LadderFacts,
  { heldCents }: WindowValues,
  policy: MarginPolicy,
): LadderDecision {
  const { push, now, easedCents = policy.leastCents } = facts
  if (!push) return NONE
  const { answeredAt, askedSince } = push
  if (!answeredAt && (facts.isHeldSellable ?? heldCents !== 0n)) {
    const isEased = easedCents < policy.leastCents
    const windowed = later(windowDeadline(facts, 3, policy), addMs(now, EASED_MS))
    const cureDeadline = isEased ? windowed : now
    return afterSilence({ kind: 'raise', tier: 3, cureDeadline }, push, now, policy)
  }
  const askAt = answeredAt ? addMs(answeredAt, policy.deficitMs) : now
  if (now < askAt) return { kind: 'hold', until: askAt }
  return { kind: 'ask', until: addMs(askedSince ?? now, policy.deficitMs) }
}

function decideOpen(
  facts: LadderFacts,
  warning: OpenWarning,
  debtCents: bigint,
  policy: MarginPolicy,
): LadderDecision {
  const { values, now, trigger, push } = facts
  if (debtCents === 0n) return { kind: 'cure', by: trigger }
  if (!values) return NONE
  if (isUnfounded(facts, debtCents, policy)) return { kind: 'cure', by: 'correction' }
  const floor = floorCents(debtCents, policy.cureLtvPpm)
  if (values.lowCents >= floor) return { kind: 'cure', by: trigger }

  if (isCritical(facts.easedCents ?? debtCents, values.highCents, policy)) {
    if (warning.tier === 3) return { kind: 'escalate', reason: 'critical' }
    return { kind: 'worsen', tier: 3, cureDeadline: earlier(warning.cureDeadline, now) }
  }
  const tier = tierAt(debtCents, values.highCents, policy)
  if (tier !== undefined && tier > warning.tier) {
    const ends = later(addMs(now, windowOf(tier, policy)), leastDeadline(facts, tier, policy))
    return { kind: 'worsen', tier, cureDeadline: earlier(warning.cureDeadline, ends) }
  }
  if (push && (values.claimedCents ?? 0n) >= floor) {
    return askAboutCure(push, warning, now, policy)
  }
  // The deadline itself is in time.
  if (now <= warning.windowDeadline || isFlickering(facts, warning, floor, policy)) return NONE
  if ((values.latestLowCents ?? values.latestCents) >= floor) return { kind: 'cure', by: trigger }
  // The custodian holds enough, and the push lacks it.
  if (values.latestCents >= floor) return NONE
  return holdOrEscalate(facts, debtCents, values, policy)
}

/** A cure by a push waits for the custodian, and holds the escalation for a time. */
function askAboutCure(
  { receivedAt, holdsUntil }: Push,
  { windowDeadline: deadline }: OpenWarning,
  now: Date,
  { pushHoldMs }: MarginPolicy,
): LadderDecision {
  const holds = holdsUntil ?? addMs(receivedAt, pushHoldMs)
  const until = receivedAt <= deadline ? later(deadline, holds) : deadline
  if (now <= deadline || now < until) return { kind: 'ask', until }
  return { kind: 'escalate', reason: 'deadline' }
}

/** By the custodian's positions it would not have been raised, and would not be raised now. */
function isUnfounded(
  { atRaise, values }: LadderFacts,
  debtCents: bigint,
  policy: MarginPolicy,
): boolean {
  if (!atRaise || !values) return false
  return !wasInBreach(atRaise) && tierAt(debtCents, values.highCents, policy) === undefined
}

/** Clear at one price of the window but not at each: a later round decides, at last the latest value. */
function isFlickering(
  { values, now }: LadderFacts,
  { windowDeadline, flickerUntil }: OpenWarning,
  floor: bigint,
  { flickerMs }: MarginPolicy,
): boolean {
  const until = flickerUntil ?? addMs(windowDeadline, flickerMs)
  return (values?.highCents ?? 0n) >= floor && now <= until
}

/** Decides an escalation by the confirmed positions, and nothing else. A warning found critical
 * because of a missing position loses no time unless the custodian confirms it. */
export function decideConfirmed(facts: LadderFacts, policy: MarginPolicy): LadderDecision {
  const { values, warning, now } = facts
  if (facts.hasLiveCall || !warning || !values) return NONE
  const debtCents = totalDebtCents(facts.debt, now)
  if (isUnfounded(facts, debtCents, policy)) return { kind: 'cure', by: 'correction' }
  const floor = floorCents(debtCents, policy.cureLtvPpm)
  if (values.latestCents >= floor || facts.isOnHold) return NONE
  const critical = isCritical(facts.easedCents ?? debtCents, values.highCents, policy)
  if (critical && warning.tier === 3) return { kind: 'escalate', reason: 'critical' }
  if (now <= warning.windowDeadline || isFlickering(facts, warning, floor, policy)) return NONE
  if (critical) return { kind: 'escalate', reason: 'deadline' }
  return holdOrEscalate(facts, debtCents, values, policy)
}

/** At the window's highest value: a hold lasts for hours, and one bad price must not end it. */
function holdOrEscalate(
  { reported, now }: LadderFacts,
  debtCents: bigint,
  values: WindowValues,
  policy: MarginPolicy,
): LadderDecision {
  const left = maxOf(0n, debtCents - claimedCents(reported, now))
  const [first] = holding(reported, now)
    .map(({ holdsUntil }) => holdsUntil)
    .sort((a, b) => +a - +b)
  if (first && values.highCents >= floorCents(left, policy.cureLtvPpm)) {
    return { kind: 'hold', until: first }
  }
  return { kind: 'escalate', reason: 'deadline' }
}

export function claimedCents(reported: LadderFacts['reported'], now: Date): bigint {
  return holding(reported, now).reduce((sum, { cents }) => sum + cents, 0n)
}

function holding(reported: LadderFacts['reported'], now: Date): LadderFacts['reported'] {
  return reported.filter(({ holdsUntil }) => holdsUntil > now)
}
