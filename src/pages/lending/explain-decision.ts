import type { MarginDecision } from '../../client/index.ts'
import {
  formatCents,
  formatLine,
  formatPpm,
  formatSeconds,
  secondsBetween,
  toCents,
} from '../data/figures.ts'
import { inUsd } from '../parts/values.tsx'
import { floorCents, ltvPpm, type Recomputed, recompute } from './recompute.ts'

type Facts = MarginDecision['facts']
type Kind = MarginDecision['kind']

export type DecisionView = {
  headline: string
  reasons: string[]
  recomputed: Recomputed | undefined
}

/** All that a sentence about a decision may need. */
type Matter = {
  facts: Facts
  at: string
  debtCents: bigint
  recomputed: Recomputed | undefined
}

const dollars = (cents: bigint) => inUsd(formatCents(cents))

const lastOf = ({ policy: { confirm_seconds: seconds } }: Facts) =>
  seconds === 60 ? 'minute' : formatSeconds(seconds)

const TRIGGERS: Record<Facts['trigger'], string> = {
  price: 'Prices had moved.',
  collateral: 'The collateral had changed.',
  repayment: 'A repayment had been confirmed.',
  correction: 'The debt had been corrected.',
}

const CURED_BY: Record<NonNullable<Facts['outcome']['cured_by']>, string> = {
  repayment: 'Cured by a repayment',
  collateral: 'Cured by collateral',
  price: 'Cured by the price',
  correction: 'Ended by correction',
}

const HEADLINES: Record<Kind, (matter: Matter) => string> = {
  raise: ({ facts }) => `Warning raised at tier ${facts.outcome.tier ?? ''}`,
  worsen: ({ facts }) => `Raised to tier ${facts.outcome.tier ?? ''}`,
  cure: ({ facts }) => CURED_BY[facts.outcome.cured_by ?? 'price'],
  escalate: ({ facts }) =>
    facts.outcome.reason === 'critical'
      ? 'Escalated: above the critical line'
      : 'Escalated: the deadline had passed',
}

/** Each sentence of a kind that applies, in this order. */
const REASONS: Record<Kind, readonly ((matter: Matter) => string | undefined)[]> = {
  raise: [trigger, ratioAtBest, lineCrossed, timeGiven, relapse, custodian],
  worsen: [trigger, ratioAtBest, lineCrossed, timeLeft, custodian],
  cure: [trigger, corrected, nothingOwed, floorCleared, custodian],
  escalate: [deadlinePassed, criticalHeld, floorMissed, reportedMoney, custodian],
}

export function explainDecision({ kind, decided_at: at, facts }: MarginDecision): DecisionView {
  const recomputed = recompute(facts)
  const matter = { facts, at, debtCents: toCents(facts.debt.total_usd), recomputed }
  return {
    headline: HEADLINES[kind](matter),
    reasons: REASONS[kind].flatMap((reason) => reason(matter) ?? []),
    recomputed,
  }
}

function trigger({ facts }: Matter): string {
  return TRIGGERS[facts.trigger]
}

function ratioAtBest({ facts, debtCents, recomputed }: Matter): string | undefined {
  if (!recomputed) return undefined
  const { highestCents } = recomputed
  const ratio = formatPpm(ltvPpm(debtCents, highestCents))
  return `${dollars(debtCents)} was owed. At the best prices of the last ${lastOf(facts)} the collateral counted ${dollars(highestCents)}: a ratio of ${ratio}.`
}

function lineCrossed({ facts, debtCents, recomputed }: Matter): string | undefined {
  const { tiers, critical_ltv: critical } = facts.policy
  const tier = tiers.find((step) => step.tier === facts.outcome.tier)
  if (!tier || !recomputed) return undefined
  if (isAbove(debtCents, recomputed.highestCents, critical)) {
    return `That is above the critical line of ${formatLine(critical)}, which leaves no time to cure.`
  }
  return `That is above ${formatLine(tier.above_ltv)}, where tier ${tier.tier} begins. Its time to cure is ${formatSeconds(tier.cure_seconds)}.`
}

function isAbove(debtCents: bigint, valueCents: bigint, line: string): boolean {
  return valueCents < floorCents(debtCents, line)
}

function timeGiven({ facts, at }: Matter): string | undefined {
  const { cure_deadline: deadline } = facts.outcome
  if (deadline === undefined || facts.last_cure) return undefined
  const seconds = secondsBetween(at, deadline)
  return seconds <= 0 ? undefined : `So ${formatSeconds(seconds)} was left to cure it.`
}

function relapse({ facts, at }: Matter): string | undefined {
  const { outcome, last_cure: last } = facts
  if (!last || outcome.cure_deadline === undefined) return undefined
  const since = formatSeconds(secondsBetween(last.cured_at, at))
  const left = formatSeconds(secondsBetween(at, outcome.cure_deadline))
  return `A price had cured the warning before it ${since} earlier, with ${formatSeconds(last.seconds_left)} left. So this one got ${left}.`
}

function timeLeft({ facts, at }: Matter): string | undefined {
  const { outcome, warning } = facts
  if (outcome.cure_deadline === undefined || !warning) return undefined
  const left = secondsBetween(at, outcome.cure_deadline)
  if (left <= 0) return undefined
  const isEarlier = outcome.cure_deadline < warning.cure_deadline
  return isEarlier
    ? `The deadline moved forward, and ${formatSeconds(left)} was left.`
    : `The deadline stayed, with ${formatSeconds(left)} left.`
}

function corrected({ facts }: Matter): string | undefined {
  if (facts.outcome.cured_by !== 'correction') return undefined
  const raised = facts.at_raise
  const before = raised
    ? ` When it was raised, ${dollars(toCents(raised.debt_usd))} was owed against ${dollars(toCents(raised.highest_usd))}.`
    : ''
  return `By what the custodian holds there was no breach when it was raised, and there is none now.${before}`
}

function nothingOwed({ debtCents }: Matter): string | undefined {
  return debtCents === 0n ? 'Nothing was owed any more.' : undefined
}

function floorCleared({ facts, debtCents, recomputed }: Matter): string | undefined {
  if (debtCents === 0n || !recomputed || facts.outcome.cured_by === 'correction') return undefined
  const { cure_ltv: line } = facts.policy
  const floor = dollars(floorCents(debtCents, line))
  return `At the worst prices of the last ${lastOf(facts)} the collateral counted ${dollars(recomputed.lowestCents)}. The floor of a cure, at ${formatLine(line)}, was ${floor}: it was clear.`
}

function deadlinePassed({ facts, at }: Matter): string | undefined {
  if (facts.outcome.reason !== 'deadline' || !facts.warning) return undefined
  const late = formatSeconds(secondsBetween(facts.warning.window_deadline, at))
  return `The deadline had passed ${late} before.`
}

function criticalHeld({ facts, debtCents, recomputed }: Matter): string | undefined {
  if (facts.outcome.reason !== 'critical' || !recomputed) return undefined
  const ratio = formatPpm(ltvPpm(debtCents, recomputed.highestCents))
  return `Even at the best prices of the last ${lastOf(facts)} the ratio was ${ratio}, above the critical line of ${formatLine(facts.policy.critical_ltv)}.`
}

function floorMissed({ facts, debtCents, recomputed }: Matter): string | undefined {
  if (!recomputed) return undefined
  const { cure_ltv: line } = facts.policy
  const floor = dollars(floorCents(debtCents, line))
  return `${dollars(debtCents)} was owed. The collateral counted ${dollars(recomputed.latestCents)}, and a cure needed ${floor}.`
}

function reportedMoney({ facts }: Matter): string | undefined {
  if (facts.reported.length === 0) return undefined
  const cents = facts.reported.reduce((sum, { amount_usd }) => sum + toCents(amount_usd), 0n)
  return `Repayments of ${dollars(cents)} had been reported and not confirmed. They were not enough, or had held the sale for as long as they may.`
}

function custodian({ facts, at }: Matter): string | undefined {
  if (!facts.push) return undefined
  const { answered_at: answered, asked_since: asked } = facts.push
  if (answered !== undefined) return 'The positions are those that the custodian answered it holds.'
  if (asked === undefined) return undefined
  return `The custodian had been asked about the push and had not answered for ${formatSeconds(secondsBetween(asked, at))}, so the push stood.`
}
