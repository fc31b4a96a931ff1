import type { OperatorActName } from '../roles.ts'
import { INVITE_OPERATOR, INVITE_PERSON, REGISTER_KEY } from './access-acts.ts'
import { AMEND_FACILITIES, WITHDRAW_AMENDMENT } from './amendment-acts.ts'
import { APPROVE_BORROWER, UNBLOCK_BORROWER } from './borrower-acts.ts'
import { CORRECT_FACILITY } from './correction-acts.ts'
import { ERASE_BORROWER } from './erasure-acts.ts'
import { RELEASE_FACILITY } from './facility-acts.ts'
import type { ActContext, GuardedAct, SubjectAct } from './guarded-act.ts'
import { SET_MARGIN_POLICY, WITHDRAW_MARGIN_POLICY } from './margin-policy-acts.ts'
import { REDIRECT_REFUND } from './payment-acts.ts'
import { APPLY_SUSPENSE, RETURN_SUSPENSE } from './receipt-acts.ts'
import { SEED_RESIDENCY, SET_RESIDENCY } from './residency-acts.ts'
import { CLOSE_TENANT } from './tenant-acts.ts'

/** Those that may be proposed, by the action that a proposal is stored with. */
const STORED = {
  'operators.invite': runLink(INVITE_OPERATOR, 'desk'),
  'console.invite': runLink(INVITE_PERSON, 'console'),
  'keys.register': runStored(REGISTER_KEY),
  'borrowers.approve': runStored(APPROVE_BORROWER),
  'borrowers.erase': runStored(ERASE_BORROWER),
  'borrowers.unblock': runStored(UNBLOCK_BORROWER),
  'facilities.amend': runStored(AMEND_FACILITIES),
  'facilities.withdraw_amendment': runStored(WITHDRAW_AMENDMENT),
  'facilities.correct': runStored(CORRECT_FACILITY),
  'facilities.release': runStored(RELEASE_FACILITY),
  'margin_policy.set': runStored(SET_MARGIN_POLICY),
  'margin_policy.withdraw': runStored(WITHDRAW_MARGIN_POLICY),
  'receipts.apply': runStored(APPLY_SUSPENSE),
  'receipts.return': runStored(RETURN_SUSPENSE),
  'refunds.redirect': runStored(REDIRECT_REFUND),
  'residency.seed_sample': runStored(SEED_RESIDENCY),
  'residency.set': runStored(SET_RESIDENCY),
  'tenants.close': runStored(CLOSE_TENANT),
} as const satisfies Partial<Record<OperatorActName, unknown>>

export type StoredAct = keyof typeof STORED

export function isStoredAct(action: string): action is StoredAct {
  return Object.hasOwn(STORED, action)
}

/** What makes a link or a key outlives the session in which it is confirmed. */
export function letsIn(action: string): boolean {
  return LETTING_IN.has(action)
}

const LETTING_IN: ReadonlySet<string> = new Set<StoredAct>([
  ...(['operators.invite', 'console.invite', 'keys.register'] as const),
])

/** Parses the request of a proposal, which may be from an earlier build, and runs its act. */
export async function runStoredAct(
  context: ActContext,
  { action, request, reason }: { action: StoredAct; request: unknown; reason: string },
) {
  return await STORED[action](context, request, reason)
}

/** A token that the act has made, stored nowhere: who confirms is shown the link once. */
export type StoredLink = { to: 'console' | 'desk'; token: string }

type Ran = { act: SubjectAct | undefined; link?: StoredLink }

function runStored<Request, Result>({ schema, run }: GuardedAct<Request, Result>) {
  return async (context: ActContext, request: unknown, reason: string): Promise<Ran> => {
    const { act } = await run(context, schema.parse(request), reason)
    return { act }
  }
}

function runLink<Request>(
  { schema, run }: GuardedAct<Request, { token: string }>,
  to: StoredLink['to'],
) {
  return async (context: ActContext, request: unknown, reason: string): Promise<Ran> => {
    const { result, act } = await run(context, schema.parse(request), reason)
    return { act, link: { to, token: result.token } }
  }
}
