import type { OperatorRole } from '../../db/schema/operators.ts'
import type { LenderPeople, Person } from '../people/person.ts'

export const OPERATOR_ROLES = [
  'viewer',
  'reviewer',
  'risk',
  'admin',
] as const satisfies OperatorRole[]

export type { OperatorRole }

export type Operator = Person<LenderPeople>

const EVERYONE = ['viewer', 'reviewer', 'risk'] as const

/** Who may do it beside an admin. Viewers change nothing but how they sign in. */
const ALLOWED = {
  'tenants.create': [],
  'tenants.suspend': ['risk'],
  'tenants.resume': ['risk'],
  'tenants.export': [],
  'tenants.close': [],
  'keys.register': [],
  'keys.revoke': ['risk'],
  'console.invite': [],
  'console.remove': [],
  'console.end_sessions': [],
  'console.link': [],
  'documents.publish': [],
  'documents.retire': [],
  'residency.set': ['risk'],
  'residency.seed_sample': ['risk'],
  'margin_policy.set': ['risk'],
  'margin_policy.withdraw': ['risk'],
  'borrowers.approve': ['reviewer'],
  'borrowers.reject': ['reviewer'],
  'borrowers.reveal': ['reviewer'],
  'borrowers.export': ['reviewer'],
  'borrowers.erase': ['reviewer'],
  'borrowers.block': ['reviewer', 'risk'],
  'borrowers.unblock': ['reviewer', 'risk'],
  'facilities.hold': ['reviewer', 'risk'],
  'facilities.release': ['reviewer', 'risk'],
  'facilities.amend': ['risk'],
  'facilities.withdraw_amendment': ['risk'],
  'facilities.correct': ['risk'],
  'refunds.redirect': ['risk'],
  'payments.check': ['risk'],
  'payments.dismiss': ['risk'],
  'breaks.take': ['reviewer', 'risk'],
  'breaks.resolve': ['reviewer', 'risk'],
  'receipts.ask_again': ['risk'],
  'receipts.refuse': ['risk'],
  'receipts.apply': ['risk'],
  'receipts.return': ['risk'],
  'books.close': ['risk'],
  'work.retry': ['reviewer', 'risk'],
  'audit.record': ['reviewer', 'risk'],
  'audit.request': ['reviewer', 'risk'],
  'encryption.rotate': [],
  'receipt_key.rotate': [],
  'approvals.propose': ['reviewer', 'risk'],
  'approvals.confirm': ['reviewer', 'risk'],
  'approvals.reject': ['reviewer', 'risk'],
  'operators.sign_in': EVERYONE,
  'operators.sign_out': EVERYONE,
  'operators.add_passkey': EVERYONE,
  'operators.remove_passkey': EVERYONE,
  'operators.confirm_address': EVERYONE,
  'operators.bind_identity': EVERYONE,
  'operators.refuse_link': EVERYONE,
  'operators.link': [],
  'operators.invite': [],
  'operators.change_role': [],
  'operators.remove': [],
  'operators.create_token': [],
  'operators.revoke_token': [],
  migrate: [],
  distribute: [],
} as const satisfies Record<string, readonly OperatorRole[]>

/** What is recorded: a subject and what was done to it. */
export type OperatorActName = keyof typeof ALLOWED

export function mayDo(role: OperatorRole, action: OperatorActName): boolean {
  const roles: readonly OperatorRole[] = ALLOWED[action]
  return role === 'admin' || roles.includes(role)
}

export function actsOf(role: OperatorRole): OperatorActName[] {
  return ACT_NAMES.filter((action) => mayDo(role, action))
}

const ACT_NAMES = Object.keys(ALLOWED) as OperatorActName[]
