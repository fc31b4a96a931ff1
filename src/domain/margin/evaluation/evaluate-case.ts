import type { Position } from '../../collateral/valuation.ts'
import { type Case, toLadderFacts } from '../case.ts'
import {
  type EvaluationInstant,
  type Step,
  takeConfirmed,
  takeStep,
} from '../decisions/plan-step.ts'
import {
  decideConfirmed,
  decideLadder,
  type LadderDecision,
  type Trigger,
} from '../ladder/ladder.ts'
import { nextEvaluationAt } from '../ladder/next-evaluation.ts'
import { extendDeadlineBy, type Moment, reportsThatHold } from '../outages/credit-outage.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'

export type EvaluationTerms = {
  marginPolicy: MarginPolicy
  /** Whether rounds come one by one, each of which looks at every debt as it then is. */
  hasRounds: boolean
}

/** Why facilities are judged. */
export type EvaluationCause = {
  trigger: Trigger
  /** Positions as the custodian has just given them: they decide whether an escalation happens. */
  confirmed?: ReadonlyMap<string, Position[]>
}

/** A facility's case by the stored positions, and by those that the custodian has just confirmed. */
export type LoadedCase = { stored: Case; confirmed?: Case | undefined }

/** All that a judgement makes of one facility: what is to be written, and nothing else. */
export type Outcome = Omit<Step, 'open'> & {
  facilityId: string
  /** When the facility must be looked at though nothing happens; undefined when it need not be. */
  evaluateAt: Date | undefined
}

/**
 * Judges one facility by the ladder and says what follows from it (interface, States of a margin
 * warning). Pure: all it knows is the case, the terms and the time. What the custodian has confirmed
 * is looked at only where the stored positions have the warning escalate.
 */
export function evaluateCase(
  { stored, confirmed }: LoadedCase,
  terms: EvaluationTerms,
  moment: EvaluationInstant & Moment,
): Outcome {
  const { marginPolicy: policy } = terms
  const judged = creditOutage(stored, moment, policy)
  const decision = decideLadder(toLadderFacts(judged, moment.trigger, moment.now), policy)
  const byConfirmed =
    decision.kind === 'escalate' && confirmed
      ? decideByConfirmed({ ...confirmed, ...timesOf(judged) }, moment, policy)
      : undefined
  const { open, ...step } = byConfirmed
    ? takeConfirmed(byConfirmed.judged, byConfirmed.decision, moment, policy)
    : takeStep(judged, decision, moment, policy)
  const looks = [{ judged, decision }, ...(byConfirmed ? [byConfirmed] : [])].flatMap(
    (by) => nextLook(by, open, moment.now, terms) ?? [],
  )
  const outcome: Outcome = {
    facilityId: judged.facility.id,
    ...step,
    evaluateAt: looks.sort((a, b) => +a - +b)[0],
  }
  // What an outage has moved, or that it cannot be judged, is stored also where nothing follows.
  if (open && open === judged.warning && open !== stored.warning) outcome.changed = open
  return outcome
}

/** Whether the stored positions have the open warning escalate: whether the custodian is to be asked. */
export function isToEscalate(
  stored: Case,
  policy: MarginPolicy,
  moment: EvaluationInstant & Moment,
): boolean {
  const judged = creditOutage(stored, moment, policy)
  const facts = toLadderFacts(judged, moment.trigger, moment.now)
  return decideLadder(facts, policy).kind === 'escalate'
}

function decideByConfirmed(
  judged: Case,
  { now, trigger }: EvaluationInstant,
  policy: MarginPolicy,
) {
  return { judged, decision: decideConfirmed(toLadderFacts(judged, trigger, now), policy) }
}

function creditOutage(stored: Case, moment: Moment, policy: MarginPolicy): Case {
  const canEvaluate = stored.collateral.values !== undefined
  const warning = stored.warning && extendDeadlineBy(stored.warning, canEvaluate, moment, policy)
  return { ...stored, warning, reported: reportsThatHold(stored.reported, warning, moment, policy) }
}

/** What outages have a say in, which the custodian's answer has not. */
function timesOf({ warning, reported }: Case): Pick<Case, 'warning' | 'reported'> {
  return { warning, reported }
}

function nextLook(
  { judged, decision }: { judged: Case; decision: LadderDecision },
  open: StoredWarning | undefined,
  now: Date,
  { marginPolicy, hasRounds }: EvaluationTerms,
): Date | undefined {
  const { facility, collateral, reported } = judged
  const { debt } = facility
  const valueCents = collateral.latest.valueCents
  const deadline = open?.windowDeadline
  return nextEvaluationAt(
    { debt, valueCents, reported, decision, deadline, now },
    hasRounds,
    marginPolicy,
  )
}
