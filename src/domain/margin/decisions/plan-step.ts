import type { Instant } from '../../../core/time.ts'
import type { EventToAppend } from '../../events/append-event.ts'
import { PUSH_FLOOR } from '../../facilities/topics.ts'
import type { WorkTopic } from '../../work/topics.ts'
import type { NewCall } from '../call-queries.ts'
import { type Case, cureOf } from '../case.ts'
import { type LadderDecision, type Trigger, windowDeadline } from '../ladder/ladder.ts'
import type { MarginPolicy } from '../policy.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../topics.ts'
import type { ChangedWarning, StoredWarning, WarningEnd } from '../warning-queries.ts'
import { curedEvent, escalatedEvent, ltvOf, raisedEvent } from '../warnings/warning-events.ts'

export type EvaluationInstant = Instant & { trigger: Trigger }

/** A decision that is put on record, with the case that it was made from. */
export type RecordedDecision = {
  kind: 'raise' | 'worsen' | 'cure' | 'escalate'
  warningNumber: number
  judged: Case
  decision: LadderDecision
}

/** What a decision of the ladder writes, and the warning that is open when it has been carried out. */
export type Step = {
  open: StoredWarning | undefined
  raised?: StoredWarning
  changed?: ChangedWarning
  call?: NewCall
  decision?: RecordedDecision
  event?: EventToAppend
  /** Asked for at once. */
  works: WorkTopic[]
}

/** What the ladder's decision by the stored positions does; an escalation is only asked for. */
export function takeStep(
  judged: Case,
  decision: LadderDecision,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  switch (decision.kind) {
    case 'none':
    case 'hold':
      return { open: judged.warning, works: [] }
    case 'raise':
      return raise(judged, decision, instant, policy)
    case 'worsen':
      return worsen(judged, decision, instant, policy)
    case 'cure':
      return cure(judged, decision, instant, policy)
    case 'escalate':
      // Until the custodian has confirmed the positions, which alone decide it, it is asked for them.
      return { open: judged.warning, works: [ESCALATE_WARNING] }
    default: {
      const unreachable: never = decision
      return unreachable
    }
  }
}

/**
 * What a decision by the confirmed positions does: it escalates, or leaves everything as it is. A
 * warning that one bad push has raised would else be cured by the custodian's word and raised again by
 * the push, round after round; nor does that word worsen one that has time left.
 */
export function takeConfirmed(
  confirmed: Case,
  decision: LadderDecision,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  if (decision.kind !== 'escalate') return { open: confirmed.warning, works: [] }
  return escalate(confirmed, decision, instant, policy)
}

function openWarning({ warning }: Case): StoredWarning {
  if (!warning) throw new Error('only an open warning gets worse, is cured or escalates')
  return warning
}

type Raise = Extract<LadderDecision, { kind: 'raise' | 'worsen' }>

function raise(
  judged: Case,
  decision: Raise,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const { now, realNow } = instant
  const { tier, cureDeadline } = decision
  const open: StoredWarning = {
    number: judged.lastWarningNumber + 1,
    tier,
    cureDeadline,
    windowDeadline: windowDeadline({ ...judged, now }, tier, policy),
    raisedAt: now,
    ltvAtRaise: ltvOf(judged, now),
    extendedSeconds: 0,
    outagesUntil: realNow,
    unevaluatedSince: undefined,
  }
  return {
    open,
    raised: open,
    decision: { kind: 'raise', warningNumber: open.number, judged, decision },
    event: raisedEvent(judged, open, now, policy),
    works: [PUSH_FLOOR, ...escalationIfCritical(decision, instant)],
  }
}

function worsen(
  judged: Case,
  decision: Raise,
  instant: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const warning = openWarning(judged)
  const { tier, cureDeadline } = decision
  const window = windowDeadline({ ...judged, now: instant.now }, tier, policy)
  const open = { ...warning, tier, cureDeadline, windowDeadline: window }
  return {
    open,
    changed: open,
    decision: { kind: 'worsen', warningNumber: open.number, judged, decision },
    event: raisedEvent(judged, open, instant.now, policy),
    works: escalationIfCritical(decision, instant),
  }
}

function cure(
  judged: Case,
  decision: Extract<LadderDecision, { kind: 'cure' }>,
  { now }: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const warning = openWarning(judged)
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
    works: [PUSH_FLOOR],
  }
}

function escalate(
  judged: Case,
  decision: Extract<LadderDecision, { kind: 'escalate' }>,
  { now }: EvaluationInstant,
  policy: MarginPolicy,
): Step {
  const warning = openWarning(judged)
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
    works: [SELL_COLLATERAL],
  }
}

/** What is critical has no time left: what was just raised escalates at once. */
function escalationIfCritical({ cureDeadline }: Raise, instant: EvaluationInstant): Step['works'] {
  return cureDeadline <= instant.now ? [ESCALATE_WARNING] : []
}
