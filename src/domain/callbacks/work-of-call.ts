import type { IdPrefix } from '../../core/ids.ts'
import { isId } from '../../core/ids.ts'
import {
  PAY_REFUND,
  PUSH_FLOOR,
  READ_ALONE,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../facilities/topics.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../margin/topics.ts'
import { EVALUATE_BORROWER } from '../onboarding/borrowers.ts'
import { CONFIRM_REPAYMENT } from '../repayments/report-execution.ts'
import type { WorkTopic } from '../work/topics.ts'

/** The providers that call back. */
export const CALLBACK_PROVIDERS = ['kyc', 'custodian', 'payments'] as const
export type CallbackProvider = (typeof CALLBACK_PROVIDERS)[number]

/** What waits for the answer to a call: the work of these topics on what the call was made for. */
export type WaitingWork = {
  topics: readonly WorkTopic[]
  /** What the call's id begins with. */
  madeFor: string
  /** Whose work it is: that of the thing itself, of the check's borrower, or of the facility's draws too. */
  subject: 'itself' | 'borrower' | 'itself_and_draws'
}

/** A kind of call: what its id begins with and the word that follows, where one does. */
type Kind = {
  provider: CallbackProvider
  prefix: IdPrefix
  word: string
  topics: readonly WorkTopic[]
  subject: WaitingWork['subject']
}

const NO_WORD = ''

function kind(
  provider: CallbackProvider,
  [prefix, word]: readonly [prefix: IdPrefix, word: string],
  topics: readonly WorkTopic[],
  subject: WaitingWork['subject'] = 'itself',
): Kind {
  return { provider, prefix, word, topics, subject }
}

const KINDS: readonly Kind[] = [
  kind('kyc', ['chk', NO_WORD], [EVALUATE_BORROWER], 'borrower'),
  kind('custodian', ['fac', 'control'], [UNDERWRITE_FACILITY]),
  kind('custodian', ['fac', 'floor'], [PUSH_FLOOR, RELEASE_DRAW], 'itself_and_draws'),
  kind('custodian', ['fac', 'lien'], [RELEASE_LIEN]),
  kind('custodian', ['fac', 'application'], [UNDERWRITE_FACILITY]),
  kind('custodian', ['fac', 'reading'], [READ_ALONE]),
  kind('custodian', ['fac', 'escalation'], [ESCALATE_WARNING]),
  kind('custodian', ['fac', 'sale'], [SELL_COLLATERAL]),
  kind('custodian', ['fac', 'call'], [SELL_COLLATERAL]),
  kind('payments', ['drw', NO_WORD], [RELEASE_DRAW]),
  kind('payments', ['rep', NO_WORD], [CONFIRM_REPAYMENT]),
  kind('payments', ['rfd', NO_WORD], [PAY_REFUND]),
]

const NUMBERS = /^\d+$/

/**
 * Which work waits for the answer to a call of ours, by the call's id as a vendor knows it (with
 * dots for slashes); undefined where no call of that provider has such an id.
 */
export function findWaitingWork(
  provider: CallbackProvider,
  callId: string,
): WaitingWork | undefined {
  const [madeFor = '', ...rest] = callId.split('.')
  const hasAnswer = rest[0] !== undefined && !NUMBERS.test(rest[0])
  const [word, numbers] = hasAnswer ? [rest[0], rest.slice(1)] : [NO_WORD, rest]
  if (!numbers.every((part) => NUMBERS.test(part))) return undefined
  const found = KINDS.find(
    (one) => one.provider === provider && one.word === word && isId(one.prefix, madeFor),
  )
  return found && { topics: found.topics, subject: found.subject, madeFor }
}
