import type { Instant } from '../../../core/time.ts'
import type { EventToAppend } from '../../events/append/append.ts'
import { PUSH_FLOOR } from '../../facilities/topics.ts'
import type { WorkTopic } from '../../work/topics.ts'
import type { NewCall } from '../call-queries.ts'
import { type Case, cureOf } from '../case.ts'
import { isAnsweredAt } from '../evaluation/question.ts'
import { later, windowDeadline } from '../ladder/deadlines.ts'
import type { LadderDecision, Trigger } from '../ladder/facts.ts'
import type { MarginPolicy } from '../policy.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../topics.ts'
import type { ChangedWarning, WarningEnd } from '../warning-queries.ts'
import { type OpenWarningAt, startDeadlines, worsenDeadlines } from '../warnings/paused.ts'
import { curedEvent, escalatedEvent, ltvAt, raisedEvent } from '../warnings/warning-events.ts'

export type EvaluationInstant = Instant & { trigger: Trigger }

export type RecordedDecision = {
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  warningNumber: number
  evaluated: Case
  decision: LadderDecision
}

export type Step = {
  open: OpenWarningAt | undefined
  raised?: OpenWarningAt
  changed?: OpenWarningAt & Pick<ChangedWarning, 'end'>
  call?: NewCall
  decision?: RecordedDecision
  event?: EventToAppend
  works: WorkTopic[]
}

/** An escalation is only requested: the confirmed positions decide it. */
export function planStep(
  evaluated: Case,
  decision: LadderDecision,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  switch (decision.kind) {
    case 'none':
    case 'hold':
    case 'ask':
      return { open: evaluated.warning, works: [] }
    case 'raise':
      return raise(evaluated, decision, instant, policy)
    case 'worsen':
      return worsen(evaluated, decision, instant, policy)
    case 'cure':
      return cure(evaluated, decision, instant)
    case 'escalate':
      return { open: evaluated.warning, works: [ESCALATE_WARNING] }
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

export function planConfirmedStep(
  confirmed: Case,
  decision: LadderDecision,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  if (decision.kind === 'escalate') return escalate(confirmed, decision, instant)
  return planStep(confirmed, decision, instant, policy)
}

function openWarning({ warning }: Case): OpenWarningAt {
  if (!warning) throw new Error('only an open warning gets worse, is cured or escalates')
  return warning
}

type Raise = Extract<LadderDecision, { kind: 'raise' | 'worsen' }>

function raise(
  evaluated: Case,
  decision: Raise,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const { now } = instant
  const { tier, cureDeadline } = decision
  // Later by what a message brought: see `leastDeadline`.
  const window = later(windowDeadline({ ...evaluated, now }, tier, policy), cureDeadline)
  const open: OpenWarningAt = {
    number: evaluated.lastWarningNumber + 1,
    tier,
    ...startDeadlines({ cureDeadline, windowDeadline: window, extendedSeconds: 0 }, now, policy),
    raisedAt: now,
    ltvAtRaise: ltvAt(evaluated, 'highCents', now),
    upheld: isAnsweredAt(evaluated.push?.answeredAt, now, policy),
    ...untilReleased(evaluated),
  }
  return {
    open,
    raised: open,
    decision: { kind: 'raise', warningNumber: open.number, evaluated, decision },
    event: raisedEvent(evaluated, open, now, policy),
    works: [PUSH_FLOOR, ...escalationIfCritical(decision, instant)],
  }
}

function worsen(
  evaluated: Case,
  decision: Raise,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const warning = openWarning(evaluated)
  const { tier, cureDeadline } = decision
  const window = later(
    windowDeadline({ ...evaluated, now: instant.now }, tier, policy),
    cureDeadline,
  )
  const reached = { cureDeadline, windowDeadline: window }
  const reachedAt = worsenDeadlines(warning, reached, instant.now, policy)
  const open = { ...reachedAt, tier, ...untilReleased(evaluated) }
  return {
    open,
    changed: open,
    decision: { kind: 'worsen', warningNumber: open.number, evaluated, decision },
    event: raisedEvent(evaluated, open, instant.now, policy),
    works: escalationIfCritical(decision, instant),
  }
}

function cure(
  evaluated: Case,
  decision: Extract<LadderDecision, { kind: 'cure' }>,
  { now }: EvaluationInstant,
): Step {
  const warning = openWarning(evaluated)
  const { number } = warning
  const end: WarningEnd = {
    status: 'CURED',
    at: now,
    by: decision.by,
    ...cureOf(evaluated, warning.cureDeadline, now),
  }
  return {
    open: undefined,
    changed: { ...warning, end },
    decision: { kind: 'cure', warningNumber: number, evaluated, decision },
    event: curedEvent(evaluated, number, decision.by, now),
    works: [PUSH_FLOOR],
  }
}

function escalate(
  evaluated: Case,
  decision: Extract<LadderDecision, { kind: 'escalate' }>,
  { now }: EvaluationInstant,
): Step {
  const warning = openWarning(evaluated)
  const { number } = warning
  const call: NewCall = {
    facilityId: evaluated.facility.id,
    number: evaluated.lastCallNumber + 1,
    marginWarningNumber: number,
  }
  const end: WarningEnd = {
    status: 'ESCALATED',
    at: now,
    ...cureOf(evaluated, warning.cureDeadline, now),
  }
  return {
    open: undefined,
    changed: { ...warning, end },
    call,
    decision: { kind: 'escalate', warningNumber: number, evaluated, decision },
    event: escalatedEvent(evaluated, call, decision.reason, now),
    works: [SELL_COLLATERAL],
  }
}

/** The end of a hold evaluates. */
function untilReleased({ facility }: Case) {
  return facility.heldSince ? { dueAt: undefined } : {}
}

/** What is critical has no time left: it escalates as soon as it is raised. */
function escalationIfCritical({ cureDeadline }: Raise, instant: EvaluationInstant): Step['works'] {
  return cureDeadline <= instant.now ? [ESCALATE_WARNING] : []
}
