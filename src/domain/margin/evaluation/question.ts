import type { Case } from '../case.ts'
import type { LadderDecision } from '../ladder/ladder.ts'

/** What becomes of the question about a push. */
export type ChangedQuestion = {
  borrowerId: string
  digest: Buffer
  askedSince: Date | undefined
  isToAsk: boolean
  answer: { positions: Case['positions']; askedAt: Date } | undefined
}

/** A push that changes nothing is in question no more; one that would is asked about until the
 * custodian has answered. Undefined where nothing changes. */
export function questionAfter(
  { facility, push, hasLiveCall, collateral }: Case,
  decision: LadderDecision,
  confirmed: Case | undefined,
  now: Date,
): ChangedQuestion | undefined {
  if (!push || hasLiveCall) return undefined
  const { digest, askedSince, isNew } = push
  const { borrowerId } = facility
  const changed = { borrowerId, digest, askedSince, isToAsk: false, answer: undefined }
  const askedAt = confirmed?.push?.answeredAt
  if (confirmed && askedAt) {
    return {
      ...changed,
      askedSince: undefined,
      answer: { positions: confirmed.positions, askedAt },
    }
  }
  if (decision.kind === 'ask') {
    const isAsked = askedSince !== undefined && !isNew
    return isAsked ? undefined : { ...changed, askedSince: askedSince ?? now, isToAsk: true }
  }
  // It stays new until it is evaluated; an escalation asks by itself, and its answer is about it.
  if (!isNew || !collateral.values || decision.kind === 'escalate') return undefined
  const stands = decision.kind === 'raise' || decision.kind === 'worsen'
  return stands ? { ...changed, isToAsk: true } : { ...changed, askedSince: undefined }
}
