import { addMs, SECOND_MS } from '../../../core/time.ts'
import { isMore } from '../../collateral/position-sources.ts'
import { totalDebtCents } from '../../facilities/ledger/debt.ts'
import { CHECK_PUSH, CONFIRM_PUSH } from '../../facilities/topics.ts'
import type { Case } from '../case.ts'
import type { LadderDecision } from '../ladder/facts.ts'
import type { MarginPolicy } from '../policy.ts'

export type ChangedQuestion = {
  borrowerId: string
  digest: Buffer
  /** A decision waits for the answer. */
  askedSince: Date | undefined
  /** Nothing waits for it. */
  checkingSince: Date | undefined
  answer: { positions: Case['positions']; askedAt: Date } | undefined
  work: typeof CONFIRM_PUSH | typeof CHECK_PUSH | undefined
}

/** An answer from before the newest push is followed by a further question after this long. */
export const ASK_AGAIN_MS = 5 * SECOND_MS

export type QuestionTerms = { now: Date; policy: MarginPolicy }

/** The custodian is asked about a push that would decide something until it has answered, and, with
 * nothing that waits, about what may decide later. Undefined where nothing changes. */
export function questionAfter(
  evaluated: Case,
  decision: LadderDecision,
  confirmed: Case | undefined,
  terms: QuestionTerms,
): ChangedQuestion | undefined {
  const { facility, push, hasLiveCall, collateral, held } = evaluated
  if (!push || hasLiveCall) return undefined
  const { digest, askedSince, checkingSince, isNew } = push
  const { borrowerId } = facility
  const kept = { borrowerId, digest, askedSince, checkingSince, answer: undefined, work: undefined }
  const isOpen = askedSince !== undefined || checkingSince !== undefined
  const isDue = !isOpen || !held || terms.now > addMs(held.readAt, ASK_AGAIN_MS)
  const work = isDue || !askedSince ? CONFIRM_PUSH : undefined
  const asked = { ...kept, askedSince: askedSince ?? terms.now, work }
  if (confirmed?.held) {
    const { positions, readAt: askedAt } = confirmed.held
    const isLeftOpen = decision.kind === 'ask' && !confirmed.push?.answeredAt
    return { ...(isLeftOpen ? asked : kept), answer: { positions, askedAt } }
  }
  if (decision.kind === 'ask') return askedSince !== undefined && !isNew ? undefined : asked
  // It stays new until it is evaluated; an escalation asks by itself, and its answer is about it.
  if (!collateral.values || decision.kind === 'escalate') return undefined
  const isRaise = decision.kind === 'raise' || decision.kind === 'worsen'
  if (isNew && isRaise && askedSince) return asked
  const isToCheck = isDoubtful(evaluated, decision, terms)
  if (!isNew && (isOpen || !isToCheck)) return undefined
  const checked = {
    checkingSince: checkingSince ?? terms.now,
    work: isDue || !checkingSince ? CHECK_PUSH : undefined,
  }
  return { ...kept, askedSince: isNew ? undefined : askedSince, ...(isToCheck && checked) }
}

/** Not answered about more collateral, a push under a warning, a raise, or a dispute of an hour. */
function isDoubtful(evaluated: Case, decision: LadderDecision, { now, policy }: QuestionTerms) {
  const { facility, push, warning, claimed, held } = evaluated
  if (!push) return false
  // Its last answer keeps a deposit from counting until the next, whatever is owed.
  if (!held && totalDebtCents(facility.debt, now) < policy.leastCents) return false
  if (decision.kind === 'raise') {
    // What is critical asks as it escalates.
    return decision.cureDeadline > now && !isAnsweredAt(push.answeredAt, now, policy)
  }
  const recheckAt = recheckAtOf(evaluated, policy)
  return (
    claimed !== undefined ||
    (push.isNew && warning !== undefined && !push.answeredAt) ||
    (recheckAt !== undefined && recheckAt <= now)
  )
}

export function isAnsweredAt(
  answeredAt: Date | undefined,
  instant: Date,
  { silenceMs }: MarginPolicy,
): boolean {
  return answeredAt !== undefined && answeredAt >= addMs(instant, -silenceMs)
}

/** When the custodian is asked again, because other than what is pushed counts by its last answer. */
export function recheckAtOf({ pushed, held, push }: Case, policy: MarginPolicy): Date | undefined {
  if (!held) return undefined
  const isLess = isMore(pushed, held.positions)
  const isOther = isLess || (push?.answeredAt !== undefined && isMore(held.positions, pushed))
  return isOther ? addMs(held.readAt, policy.recheckMs) : undefined
}
