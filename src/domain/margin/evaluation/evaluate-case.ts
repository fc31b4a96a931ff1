import { addMs } from '../../../core/time.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import {
  beginEased,
  type Eased,
  nextEasedEnd,
  prolongEased,
} from '../../facilities/ledger/eased.ts'
import { hasDueTerms } from '../amendments/change-terms.ts'
import {
  type Case,
  type Confirmed,
  heldHighCents,
  reportsThatHold,
  toLadderFacts,
} from '../case.ts'
import {
  type EvaluationInstant,
  planConfirmedStep,
  planStep,
  type Step,
} from '../decisions/plan-step.ts'
import { type Noticed, planNotice } from '../foresight/notice.ts'
import type { LadderDecision, Trigger } from '../ladder/facts.ts'
import { decideConfirmed, decideLadder } from '../ladder/ladder.ts'
import { nextEvaluationAt } from '../ladder/next-evaluation.ts'
import { evaluateRaise, wasInBreach } from '../ladder/raise-facts.ts'
import { tierAt } from '../ladder/tiers.ts'
import type { MarginPolicy } from '../policy.ts'
import type { StoredWarning } from '../warning-queries.ts'
import { type ChangedQuestion, isAnsweredAt, questionAfter, recheckAtOf } from './question.ts'

export type EvaluationCause = {
  trigger: Trigger
  /** Just given by the custodian: they decide whether an escalation happens. */
  confirmed?: ReadonlyMap<string, Confirmed>
}

export type LoadedCase = { byStored: Case; byConfirmed?: Case | undefined }

export type Outcome = Omit<Step, 'open'> & {
  facilityId: string
  noticed?: Noticed
  /** When the facility is due though nothing happens. */
  evaluateAt: Date | undefined
  recheckAt: Date | undefined
  /** Debt that a message has brought, and until when it sells nothing. */
  eased?: readonly Eased[] | undefined
  /** An amendment has waited for the end of the warning. */
  bindAt: Date | undefined
  question?: ChangedQuestion | undefined
  /** Time in which nothing can be evaluated does not run for a warning. */
  outage?: 'begins' | 'ends' | undefined
}

const NONE: LadderDecision = { kind: 'none' }

/** Pure. Confirmed positions count where the stored ones escalate the warning or wait for an answer:
 * they escalate it, or decide as any answer about the push does. `hasRounds`: rounds come one by one, and
 * each evaluates every debt. */
export function evaluateCase(
  loaded: LoadedCase,
  hasRounds: boolean,
  moment: EvaluationInstant,
): Outcome {
  const begun =
    loaded.byStored.collateral.values && beginEased(loaded.byStored.facility, moment.now)
  const { byStored, byConfirmed } = begun ? withEased(loaded, begun) : loaded
  const { policy } = byStored
  const evaluated = uphold(byStored, moment.now, policy)
  const decision = decideLadder(toLadderFacts(evaluated, moment.trigger, moment.now), policy)
  const isOpen = decision.kind === 'escalate' || decision.kind === 'ask'
  const confirmed =
    isOpen && byConfirmed
      ? decideByConfirmed({ ...byConfirmed, warning: evaluated.warning }, decision, moment, policy)
      : undefined
  const question = questionAfter(evaluated, decision, confirmed?.evaluated, {
    now: moment.now,
    policy,
  })
  const planned = confirmed
    ? planConfirmedStep(confirmed.evaluated, confirmed.decision, moment, policy)
    : planStep(evaluated, decision, moment, policy)
  const { open, ...step } = planned
  const notice = planNotice(evaluated, planned, moment.now, policy)
  const instants = [{ evaluated, decision }, ...(confirmed ? [confirmed] : [])].flatMap(
    (decided) => nextInstant(decided, open, moment.now, hasRounds) ?? [],
  )
  const isFreed =
    evaluated.warning !== undefined &&
    open === undefined &&
    step.call === undefined &&
    hasDueTerms(evaluated.facility, moment.now)
  const outcome: Outcome = {
    facilityId: evaluated.facility.id,
    ...step,
    ...notice,
    question,
    eased: (step.raised && prolongEased(evaluated.facility, moment.now)) ?? begun,
    outage: outageAfter(byStored, open),
    evaluateAt: instants.sort((a, b) => +a - +b)[0],
    bindAt: isFreed ? addMs(moment.now, 1) : undefined,
    recheckAt: nextRecheck(confirmed?.evaluated ?? evaluated, moment.now, policy),
  }
  if (question?.work) outcome.works = [...outcome.works, question.work]
  // That the custodian upholds the warning is stored though nothing follows.
  if (open && !outcome.changed && !outcome.raised && open !== byStored.warning) {
    outcome.changed = open
  }
  return outcome
}

function withEased({ byStored, byConfirmed }: LoadedCase, eased: readonly Eased[]): LoadedCase {
  const facility = { ...byStored.facility, eased }
  return {
    byStored: { ...byStored, facility },
    byConfirmed: byConfirmed && { ...byConfirmed, facility },
  }
}

export function isToEscalate(byStored: Case, moment: EvaluationInstant): boolean {
  const { policy } = byStored
  const facts = toLadderFacts(byStored, moment.trigger, moment.now)
  return decideLadder(facts, policy).kind === 'escalate'
}

function decideByConfirmed(
  confirmed: Case,
  stored: LadderDecision,
  { now, trigger }: EvaluationInstant,
  policy: MarginPolicy,
) {
  const evaluated = uphold(confirmed, now, policy)
  const facts = toLadderFacts(evaluated, trigger, now)
  const decision = decideConfirmed(facts, policy)
  if (evaluated.push?.answeredAt) {
    const isDecided = decision.kind !== 'none'
    return { evaluated, decision: isDecided ? decision : decideLadder(facts, policy) }
  }
  // Older than the push: it decides the escalation only, and what the push holds back not below
  // critical.
  const isHeld = stored.kind === 'ask' && decision.kind === 'escalate'
  const waits = isHeld && decision.reason !== 'critical'
  return { evaluated, decision: waits ? NONE : decision }
}

/** Records that by the custodian's positions there is a breach, or was one at the raise. */
function uphold(evaluated: Case, now: Date, policy: MarginPolicy): Case {
  const { warning, held, facility, raise } = evaluated
  const highCents = heldHighCents(evaluated)
  if (!warning || warning.upheld || highCents === undefined) return evaluated
  if (!isAnsweredAt(held?.readAt, warning.raisedAt, policy)) return evaluated
  const debtCents = totalDebtCents(facility.debt, now)
  const atRaise = raise && evaluateRaise(raise)
  const isInBreach =
    tierAt(debtCents, highCents, policy) !== undefined || (atRaise && wasInBreach(atRaise))
  return isInBreach ? { ...evaluated, warning: { ...warning, upheld: true } } : evaluated
}

function nextRecheck(evaluated: Case, now: Date, policy: MarginPolicy): Date | undefined {
  const at = recheckAtOf(evaluated, policy)
  return at && at > now ? at : undefined
}

function outageAfter(
  { warning, collateral }: Case,
  open: StoredWarning | undefined,
): Outcome['outage'] {
  const isStale = open !== undefined && collateral.values === undefined
  if (isStale === (warning?.isUnevaluated ?? false)) return undefined
  return isStale ? 'begins' : 'ends'
}

function nextInstant(
  { evaluated, decision }: { evaluated: Case; decision: LadderDecision },
  open: Step['open'],
  now: Date,
  hasRounds: boolean,
): Date | undefined {
  const { facility, policy, collateral } = evaluated
  const { debt } = facility
  const reported = reportsThatHold(evaluated)
  const valueCents = collateral.latest.valueCents
  const deadline = open?.dueAt
  const easedUntil = nextEasedEnd(facility, now)
  return nextEvaluationAt(
    { debt, valueCents, reported, decision, deadline, easedUntil, now },
    hasRounds,
    policy,
  )
}
