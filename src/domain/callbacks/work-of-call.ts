import type { IdPrefix } from '../../core/ids.ts'
import { isId } from '../../core/ids.ts'
import {
  CHECK_PUSH,
  CONFIRM_PUSH,
  PAY_REFUND,
  PUSH_FLOOR,
  READ_ALONE,
  READ_FOR_WRITE_OFF,
  RELEASE_DRAW,
  RELEASE_LIEN,
  UNDERWRITE_FACILITY,
} from '../facilities/topics.ts'
import { ESCALATE_WARNING, SELL_COLLATERAL } from '../margin/topics.ts'
import { EVALUATE_BORROWER } from '../onboarding/borrowers.ts'
import { CONFIRM_REPAYMENT } from '../repayments/report-execution.ts'
import type { WorkTopic } from '../work/topics.ts'

export const CALLBACK_PROVIDERS = ['kyc', 'custodian', 'payments'] as const
export type CallbackProvider = (typeof CALLBACK_PROVIDERS)[number]

export type WaitingWork = {
  topics: readonly WorkTopic[]
  /** The id at the start of the call's id. */
  objectId: string
  /** Whether the work is of the object, of a check's borrower, or of a facility's draws too. */
  subject: 'itself' | 'borrower' | 'itself_and_draws'
}

type Kind = {
  provider: CallbackProvider
  prefix: IdPrefix
  purpose: string
  topics: readonly WorkTopic[]
  subject: WaitingWork['subject']
}

const NO_PURPOSE = ''

function kind(
  provider: CallbackProvider,
  [prefix, purpose]: readonly [prefix: IdPrefix, purpose: string],
  topics: readonly WorkTopic[],
  subject: WaitingWork['subject'] = 'itself',
): Kind {
  return { provider, prefix, purpose, topics, subject }
}

const KINDS: readonly Kind[] = [
  kind('kyc', ['chk', NO_PURPOSE], [EVALUATE_BORROWER], 'borrower'),
  kind('custodian', ['fac', 'control'], [UNDERWRITE_FACILITY]),
  kind('custodian', ['fac', 'floor'], [PUSH_FLOOR, RELEASE_DRAW], 'itself_and_draws'),
  kind('custodian', ['fac', 'lien'], [RELEASE_LIEN]),
  kind('custodian', ['fac', 'application'], [UNDERWRITE_FACILITY]),
  kind('custodian', ['fac', 'reading'], [READ_ALONE]),
  kind('custodian', ['fac', 'push'], [CONFIRM_PUSH, CHECK_PUSH]),
  kind('custodian', ['fac', 'escalation'], [ESCALATE_WARNING]),
  kind('custodian', ['fac', 'sale'], [SELL_COLLATERAL]),
  kind('custodian', ['fac', 'write_off'], [READ_FOR_WRITE_OFF]),
  kind('custodian', ['fac', 'call'], [SELL_COLLATERAL]),
  kind('payments', ['drw', NO_PURPOSE], [RELEASE_DRAW]),
  kind('payments', ['rep', NO_PURPOSE], [CONFIRM_REPAYMENT]),
  kind('payments', ['rfd', NO_PURPOSE], [PAY_REFUND]),
]

const NUMBERS = /^\d+$/

/** By the call's id as a vendor knows it, with dots for slashes. Undefined for an unknown form. */
export function findWaitingWork(
  provider: CallbackProvider,
  callId: string,
): WaitingWork | undefined {
  const [objectId = '', ...rest] = callId.split('.')
  const hasPurpose = rest[0] !== undefined && !NUMBERS.test(rest[0])
  const [purpose, numbers] = hasPurpose ? [rest[0], rest.slice(1)] : [NO_PURPOSE, rest]
  if (!numbers.every((part) => NUMBERS.test(part))) return undefined
  const found = KINDS.find(
    (one) => one.provider === provider && one.purpose === purpose && isId(one.prefix, objectId),
  )
  return found && { topics: found.topics, subject: found.subject, objectId }
}
