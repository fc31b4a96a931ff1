import { addMs, type Instant } from '../../core/time.ts'
import type { Position } from '../collateral/valuation.ts'
import type { EventToAppend } from '../events/append-event.ts'
import { PUSH_FLOOR } from '../facilities/topics.ts'
import type { NewCall } from './call-queries.ts'
import { type Case, cureOf, toLadderFacts } from './facts.ts'
import { decideLadder, type LadderDecision, type Trigger } from './ladder.ts'
import { type Moment, withoutLostTime } from './lost-time.ts'
import { nextLookAt } from './next-look.ts'
import type { MarginPolicy } from './policy.ts'
import type { ChangedWarning, StoredWarning, WarningEnd } from './queries.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from './topics.ts'
import { curedEvent, escalatedEvent, ltvOf, raisedEvent } from './warning-events.ts'

export type JudgeTerms = {
  marginPolicy: MarginPolicy
  /** Whether rounds come one by one, each of which looks at every debt as it then is. */
  hasRounds: boolean
}

export type JudgeOptions = Instant & {
  trigger: Trigger
  /** Positions as the custodian has just given them: with them an escalation is decided for good. */
  confirmed?: ReadonlyMap<string, Position[]>
}

/** A decision that is put on record, with the case that it was made from. */
export type RecordedDecision = {
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  warningNumber: number
  judged: Case
  decision: LadderDecision
}

/** All that a judgement makes of one facility: what is to be written, and nothing else. */
export type Outcome = {
  facilityId: string
  raised?: StoredWarning
  changed?: ChangedWarning
  call?: NewCall
  decision?: RecordedDecision
  event?: EventToAppend
  works: { topic: string; dueAt: Date }[]
  /** When the facility must be looked at though nothing happens; undefined when it need not be. */
  lookAt: Date | undefined
}

/** What is still open when the ladder's decision has been carried out. */
type Step = Omit<Outcome, 'facilityId' | 'lookAt'> & { open: StoredWarning | undefined }

/**
 * Judges one facility by the ladder and says what follows from it (interface, States of a margin
 * warning). Pure: all it knows is the case, the terms and the time.
 */
export function judgeCase(
  loaded: Case,
  terms: JudgeTerms,
  options: JudgeOptions & Moment,
): Outcome {
  const { marginPolicy: policy } = terms
  const { now, trigger } = options
  const canJudge = loaded.collateral.values !== undefined
  const warning = loaded.warning && withoutLostTime(loaded.warning, canJudge, options, policy)
  const judged = { ...loaded, warning }
  const decision = decideLadder(toLadderFacts(judged, trigger, now), policy)
  const { open, ...step } = takeStep(judged, decision, options, policy)
  const outcome: Outcome = {
    facilityId: judged.facility.id,
    ...step,
    lookAt: nextLook(judged, open, decision, now, terms),
  }
  // What an outage has moved, or that it cannot be judged, is stored also where nothing follows.
  if (open && open === judged.warning && open !== loaded.warning) outcome.changed = open
  return outcome
}

function takeStep(
  judged: Case,
  decision: LadderDecision,
  options: JudgeOptions,
  policy: MarginPolicy,
): Step {
  // The custodian's word decides an escalation and nothing else: a warning that one bad push has
  // raised would else be cured by it and raised again by the push, round after round.
  const isAside = decision.kind === 'raise' || decision.kind === 'cure'
  if (options.confirmed && isAside) return { open: judged.warning, works: [] }
  switch (decision.kind) {
    case 'none':
    case 'hold':
      return { open: judged.warning, works: [] }
    case 'raise':
      return raise(judged, decision, options, policy)
    case 'worsen':
      return worsen(judged, openWarning(judged), decision, options, policy)
    case 'cure':
      return cure(judged, openWarning(judged), decision, options, policy)
    case 'escalate':
      // Until the custodian has confirmed the positions, which alone decide it, it is asked for them.
      if (!options.confirmed) return { open: judged.warning, works: [escalation(options)] }
      return escalate(judged, openWarning(judged), decision, options, policy)
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

function openWarning({ warning }: Case): StoredWarning {
  if (!warning) throw new Error('only an open warning gets worse, is cured or escalates')
  return warning
}

type Raise = Extract<LadderDecision, { kind: 'raise' | 'worsen' }>

function raise(judged: Case, decision: Raise, options: JudgeOptions, policy: MarginPolicy): Step {
  const { now, realNow } = options
  const { tier, cureDeadline } = decision
  const open: StoredWarning = {
    number: judged.lastWarningNumber + 1,
    tier,
    cureDeadline,
    raisedAt: now,
    ltvAtRaise: ltvOf(judged, now),
    extendedSeconds: 0,
    outagesUntil: realNow,
    unjudgedSince: undefined,
  }
  return {
    open,
    raised: open,
    decision: { kind: 'raise', warningNumber: open.number, judged, decision },
    event: raisedEvent(judged, open, now, policy),
    works: [{ topic: PUSH_FLOOR, dueAt: realNow }, ...escalationIfCritical(decision, options)],
  }
}

function worsen(
  judged: Case,
  warning: StoredWarning,
  decision: Raise,
  options: JudgeOptions,
  policy: MarginPolicy,
): Step {
  const { tier, cureDeadline } = decision
  const open = { ...warning, tier, cureDeadline }
  return {
    open,
    changed: open,
    decision: { kind: 'worsen', warningNumber: open.number, judged, decision },
    event: raisedEvent(judged, open, options.now, policy),
    works: escalationIfCritical(decision, options),
  }
}

function cure(
  judged: Case,
  warning: StoredWarning,
  decision: Extract<LadderDecision, { kind: 'cure' }>,
  { now, realNow }: JudgeOptions,
  policy: MarginPolicy,
): Step {
  const { number } = warning
  const end: WarningEnd = {
    status: 'CURED',
    at: now,
    by: decision.by,
    ...cureOf(judged, warning.cureDeadline, now, policy),
  }
  return {
    open: undefined,
    changed: { ...warning, end },
    decision: { kind: 'cure', warningNumber: number, judged, decision },
    event: curedEvent(judged, number, decision.by, now),
    works: [{ topic: PUSH_FLOOR, dueAt: realNow }],
  }
}

function escalate(
  judged: Case,
  warning: StoredWarning,
  decision: Extract<LadderDecision, { kind: 'escalate' }>,
  { now, realNow }: JudgeOptions,
  policy: MarginPolicy,
): Step {
  const { number } = warning
  const call: NewCall = {
    facilityId: judged.facility.id,
    number: judged.lastCallNumber + 1,
    marginWarningNumber: number,
  }
  const end: WarningEnd = {
    status: 'ESCALATED',
    at: now,
    ...cureOf(judged, warning.cureDeadline, now, policy),
  }
  return {
    open: undefined,
    changed: { ...warning, end },
    call,
    decision: { kind: 'escalate', warningNumber: number, judged, decision },
    event: escalatedEvent(judged, call, decision.reason, now),
    works: [{ topic: SELL_COLLATERAL, dueAt: realNow }],
  }
}

/** What is critical has no time left: what was just raised escalates at once. */
function escalationIfCritical({ cureDeadline }: Raise, options: JudgeOptions): Outcome['works'] {
  return cureDeadline <= options.now ? [escalation(options)] : []
}

/** Has the custodian asked for the positions. */
function escalation({ realNow, confirmed }: JudgeOptions): Outcome['works'][number] {
  // Already deciding with the custodian's answer: what is new is judged with the next one.
  return { topic: ESCALATE_WARNING, dueAt: confirmed ? addMs(realNow, 1_000) : realNow }
}

function nextLook(
  { facility, collateral }: Case,
  open: StoredWarning | undefined,
  decision: LadderDecision,
  now: Date,
  { marginPolicy, hasRounds }: JudgeTerms,
): Date | undefined {
  if (decision.kind === 'hold') return addMs(decision.until, 1)
  const { debt } = facility
  const valueCents = collateral.latest.valueCents
  const facts = { debt, valueCents, cureDeadline: open?.cureDeadline, now }
  return nextLookAt(facts, hasRounds, marginPolicy)
}
