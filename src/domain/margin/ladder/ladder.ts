import { divideUp, maxOf, minOf } from '../../../core/money.ts'
import { exceedsLtv, floorCents, ONE_PPM } from '../../../core/ratio.ts'
import { addMs } from '../../../core/time.ts'
import { type Debt, projectDebtCents, totalDebtCents } from '../../facilities/ledger/debt.ts'
import type { MarginPolicy, Tier } from '../policy.ts'

export type WindowValues = {
  highCents: bigint
  /** Of what counts towards a cure, as is `latestLowCents`. */
  lowCents: bigint
  latestCents: bigint
  /** `latestCents` where the custodian and the push agree. */
  latestLowCents?: bigint
}

export type OpenWarning = {
  tier: Tier
  cureDeadline: Date
  /** By the windows of its tiers; later than `cureDeadline` where it was found critical. */
  windowDeadline: Date
}

/** The newest push, which neither cures nor hurts before the custodian has answered. */
export type Push = {
  receivedAt: Date
  /** Not evaluated before. */
  isNew: boolean
  askedSince?: Date | undefined
  /** The values are by the custodian's positions. */
  answeredAt?: Date | undefined
}

export type Trigger = 'price' | 'collateral' | 'repayment'

export type LadderFacts = {
  now: Date
  trigger: Trigger
  debt: Debt
  /** Undefined while prices are stale or no round is old enough: nothing is evaluated. */
  values: WindowValues | undefined
  hasSellableValue: boolean
  /** Undefined: the positions are not pushed, or were recorded before pushes were confirmed. */
  push?: Push | undefined
  /** What the open warning was raised on, by the custodian's positions. */
  atRaise?: { debtCents: bigint; highCents: bigint } | undefined
  warning: OpenWarning | undefined
  hasLiveCall: boolean
  /** Of the warning before, where a price cured it. */
  lastCure: { curedAt: Date; leftMs: number } | undefined
  /** Reported before the deadline and not answered by the treasury; counted as claimed. */
  reported: readonly { cents: bigint; holdsUntil: Date }[]
}

export type LadderDecision =
  | { kind: 'none' }
  /** Nothing happens before `until` unless the treasury answers. */
  | { kind: 'hold'; until: Date }
  /** The custodian is asked about the push; until then nothing happens, unless it answers. */
  | { kind: 'ask'; until: Date }
  /** The tier only rises, the deadline only falls. */
  | { kind: 'raise' | 'worsen'; tier: Tier; cureDeadline: Date }
  /** By correction: it should never have been raised. */
  | { kind: 'cure'; by: Trigger | 'correction' }
  | { kind: 'escalate'; reason: 'deadline' | 'critical' }

const NONE: LadderDecision = { kind: 'none' }

/** Decides by these facts alone. A price must hold for the whole window: raise, tier and critical
 * use its highest value, a cure its lowest. Deposits, withdrawals and repayments count at once. */
export function decideLadder(facts: LadderFacts, policy: MarginPolicy): LadderDecision {
  if (facts.hasLiveCall) return NONE
  const debtCents = totalDebtCents(facts.debt, facts.now)
  const asPushed = facts.warning
    ? decideOpen(facts, facts.warning, debtCents, policy)
    : decideClear(facts, debtCents, policy)
  return isInQuestion(facts.push) ? decideInQuestion(facts, asPushed, facts.push, policy) : asPushed
}

function isInQuestion(push: Push | undefined): push is Push {
  return push !== undefined && !push.answeredAt && (push.isNew || push.askedSince !== undefined)
}

/** What is decided as pushed waits for the custodian. Silence lets a raise stand; a cure waits on,
 * and for a time holds the escalation. */
function decideInQuestion(
  { warning, debt, now }: LadderFacts,
  asPushed: LadderDecision,
  push: Push,
  policy: MarginPolicy,
): LadderDecision {
  if (asPushed.kind === 'raise' || asPushed.kind === 'worsen') {
    return afterSilence(asPushed, push, now, policy)
  }
  if (asPushed.kind !== 'cure' || !warning || totalDebtCents(debt, now) === 0n) return asPushed
  const { windowDeadline: deadline } = warning
  const held = addMs(push.receivedAt, policy.pushHoldMs)
  const until = push.receivedAt <= deadline ? later(deadline, held) : deadline
  if (now <= deadline || now < until) return { kind: 'ask', until }
  return { kind: 'escalate', reason: 'deadline' }
}

function afterSilence(
  decision: LadderDecision,
  { askedSince }: Push,
  now: Date,
  { silenceMs }: MarginPolicy,
): LadderDecision {
  const until = addMs(askedSince ?? now, silenceMs)
  return now < until ? { kind: 'ask', until } : decision
}

function decideClear(facts: LadderFacts, debtCents: bigint, policy: MarginPolicy): LadderDecision {
  const { values, now } = facts
  if (!values || debtCents < policy.leastCents) return NONE
  if (!facts.hasSellableValue) return decideUnsellable(facts, policy)
  const tier = tierAt(debtCents, values.highCents, policy)
  if (tier === undefined) return NONE
  if (isCritical(debtCents, values.highCents, policy)) {
    return { kind: 'raise', tier: 3, cureDeadline: now }
  }
  return { kind: 'raise', tier, cureDeadline: windowDeadline(facts, tier, policy) }
}

/** That nothing can be sold is for the custodian to answer, again from time to time. */
function decideUnsellable({ push, now }: LadderFacts, policy: MarginPolicy): LadderDecision {
  if (!push) return NONE
  const { answeredAt, askedSince } = push
  if (!answeredAt) {
    return afterSilence({ kind: 'raise', tier: 3, cureDeadline: now }, push, now, policy)
  }
  const askAt = addMs(answeredAt, policy.deficitMs)
  if (now < askAt) return { kind: 'hold', until: askAt }
  return { kind: 'ask', until: addMs(askedSince ?? now, policy.deficitMs) }
}

/** Being critical does not shorten this deadline; the custodian's positions are measured by it. */
export function windowDeadline(
  facts: Pick<LadderFacts, 'now' | 'warning' | 'lastCure'>,
  tier: Tier,
  policy: MarginPolicy,
): Date {
  const windowMs = windowOf(tier, policy)
  const { warning, now } = facts
  return warning
    ? earlier(warning.windowDeadline, addMs(now, windowMs))
    : firstDeadline(facts, windowMs, policy)
}

function firstDeadline(
  { now, lastCure }: Pick<LadderFacts, 'now' | 'lastCure'>,
  windowMs: number,
  policy: MarginPolicy,
): Date {
  if (!lastCure || addMs(lastCure.curedAt, policy.relapseMs) < now) return addMs(now, windowMs)
  const leftMs = Math.max(lastCure.leftMs, policy.relapseLeastMs)
  return addMs(now, Math.min(windowMs, leftMs))
}

function decideOpen(
  facts: LadderFacts,
  warning: OpenWarning,
  debtCents: bigint,
  policy: MarginPolicy,
): LadderDecision {
  const { values, now, trigger } = facts
  if (debtCents === 0n) return { kind: 'cure', by: trigger }
  if (!values) return NONE
  if (isUnfounded(facts, debtCents, policy)) return { kind: 'cure', by: 'correction' }
  const floor = floorCents(debtCents, policy.cureLtvPpm)
  if (values.lowCents >= floor) return { kind: 'cure', by: trigger }

  if (isCritical(debtCents, values.highCents, policy)) {
    if (warning.tier === 3) return { kind: 'escalate', reason: 'critical' }
    return { kind: 'worsen', tier: 3, cureDeadline: earlier(warning.cureDeadline, now) }
  }
  const tier = tierAt(debtCents, values.highCents, policy)
  if (tier !== undefined && tier > warning.tier) {
    const ends = addMs(now, windowOf(tier, policy))
    return { kind: 'worsen', tier, cureDeadline: earlier(warning.cureDeadline, ends) }
  }
  // The deadline itself is in time.
  if (now <= warning.windowDeadline || isFlickering(facts, warning, floor, policy)) return NONE
  if ((values.latestLowCents ?? values.latestCents) >= floor) return { kind: 'cure', by: trigger }
  // The custodian holds enough, and the push lacks it.
  if (values.latestCents >= floor) return NONE
  return holdOrEscalate(facts, debtCents, values, policy)
}

/** By the custodian's positions it would not have been raised, and would not be raised now. */
function isUnfounded(
  { atRaise, values }: LadderFacts,
  debtCents: bigint,
  policy: MarginPolicy,
): boolean {
  if (!atRaise || !values) return false
  return (
    tierAt(atRaise.debtCents, atRaise.highCents, policy) === undefined &&
    tierAt(debtCents, values.highCents, policy) === undefined
  )
}

/** Past its deadline, and clear at one price of the window but not at each: a later round decides,
 * until the latest value does. */
function isFlickering(
  { values, now }: LadderFacts,
  { windowDeadline: deadline }: OpenWarning,
  floor: bigint,
  { flickerMs }: MarginPolicy,
): boolean {
  return (values?.highCents ?? 0n) >= floor && now <= addMs(deadline, flickerMs)
}

/** Decides an escalation by the confirmed positions, and nothing else. A warning found critical
 * because of a missing position loses no time unless the custodian confirms it. */
export function decideConfirmed(facts: LadderFacts, policy: MarginPolicy): LadderDecision {
  const { values, warning, now } = facts
  if (facts.hasLiveCall || !warning || !values) return NONE
  const debtCents = totalDebtCents(facts.debt, now)
  if (isUnfounded(facts, debtCents, policy)) return { kind: 'cure', by: 'correction' }
  const floor = floorCents(debtCents, policy.cureLtvPpm)
  if (values.latestCents >= floor) return NONE
  const critical = isCritical(debtCents, values.highCents, policy)
  if (critical && warning.tier === 3) return { kind: 'escalate', reason: 'critical' }
  if (now <= warning.windowDeadline || isFlickering(facts, warning, floor, policy)) return NONE
  if (critical) return { kind: 'escalate', reason: 'deadline' }
  return holdOrEscalate(facts, debtCents, values, policy)
}

/** Reported repayments that clear the floor hold the escalation. At the window's highest value: a
 * hold lasts for hours, and one bad price must not end it. */
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

/** Undefined at or above the floor; the lowest tier is the breach itself. */
export function tierAt(
  debtCents: bigint,
  valueCents: bigint,
  policy: MarginPolicy,
): Tier | undefined {
  if (valueCents >= floorCents(debtCents, policy.floorLtvPpm)) return undefined
  const exceeded = policy.tiers.filter(({ aboveLtvPpm }) =>
    exceedsLtv(debtCents, valueCents, aboveLtvPpm),
  )
  return exceeded.at(-1)?.tier ?? 1
}

function isCritical(debtCents: bigint, valueCents: bigint, policy: MarginPolicy): boolean {
  return exceedsLtv(debtCents, valueCents, policy.criticalLtvPpm)
}

function windowOf(tier: Tier, policy: MarginPolicy): number {
  const step = policy.tiers.find((candidate) => candidate.tier === tier)
  if (!step) throw new Error(`the policy has no tier ${tier}`)
  return step.windowMs
}

function earlier(a: Date, b: Date): Date {
  return a < b ? a : b
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b
}

/** In cents, with the interest until the slack after the deadline: what was asked still cures when
 * it arrives. Both are 0 where the floor is clear. */
export function cureAmounts(
  {
    debt,
    lowCents,
    cureDeadline,
    now,
  }: { debt: Debt; lowCents: bigint; cureDeadline: Date; now: Date },
  policy: MarginPolicy,
): { amountCents: bigint; collateralCents: bigint } {
  const debtCents = totalDebtCents(debt, now)
  if (lowCents >= floorCents(debtCents, policy.cureLtvPpm)) {
    return { amountCents: 0n, collateralCents: 0n }
  }
  // While nothing can be evaluated, a deadline may be further back than the slack.
  const until = later(now, addMs(cureDeadline, policy.cureSlackMs))
  const projected = projectDebtCents(debt, { now, at: until }, 0n)
  const missing = divideUp(projected * ONE_PPM - policy.cureLtvPpm * lowCents, ONE_PPM)
  return {
    amountCents: minOf(debtCents, maxOf(policy.leastCents, missing)),
    collateralCents: floorCents(projected, policy.cureLtvPpm) - lowCents,
  }
}
