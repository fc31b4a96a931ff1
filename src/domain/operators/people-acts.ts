// What an admin does with operators and tokens, by command or in the desk: each returns what was
// made, and the act, which the caller records.
import type { Tx } from '../../db/database.ts'
import { LENDER, type LenderPeople } from '../../db/sql/people-tables.ts'
import { mailAboutAccount } from '../mails/account-mails.ts'
import {
  addPerson,
  changeRole,
  findPerson,
  inviteOrInviteAgain,
  type NewPerson,
  removePerson,
  unknownPerson,
} from '../people/people.ts'
import type { OperatorAct } from './actions.ts'
import type { Operator, OperatorRole } from './roles.ts'
import { createOperatorToken, revokeOperatorToken, type TokenTerms } from './tokens.ts'

type Done<Result> = { result: Result; act: OperatorAct }

const subjectOf = ({ id }: { id: string }) => ({ kind: 'operator', id })

/** One who is there gets the role and another invitation. Refuses as `inviteOrInviteAgain`. */
export async function actInvite(
  tx: Tx,
  given: NewPerson<LenderPeople>,
  terms: { now: Date; isTrusted: boolean },
) {
  const { before, ...result } = await inviteOrInviteAgain(tx, { ...LENDER, ...terms }, given)
  const { id, ...after } = result.person
  const states = { ...(before && { before: { role: before.role } }), after }
  const act = { action: 'operators.invite' as const, subject: subjectOf({ id }), ...states }
  return { result, act }
}

/** Refuses as `addPerson`. */
export async function actAdd(tx: Tx, given: NewPerson<LenderPeople>, now: Date) {
  const result = await addPerson(tx, { ...LENDER, now }, given)
  const { id, ...after } = result.person
  const act = { action: 'operators.invite' as const, subject: subjectOf({ id }), after }
  return { result, act }
}

/** Refuses `not_found` and `last_admin`. `act` says nothing new where they had the role. */
export async function actChangeRole(
  tx: Tx,
  operatorId: string,
  role: OperatorRole,
  now: Date,
): Promise<Done<Operator>> {
  const { person: operator, before } = await changeRole(tx, { ...LENDER, now }, operatorId, role)
  const states = { before: { role: before.role }, after: { role } }
  const act = { action: 'operators.change_role' as const, subject: subjectOf(operator), ...states }
  return { result: operator, act }
}

/** Refuses `not_found` and `last_admin`. */
export async function actRemove(tx: Tx, email: string, now: Date): Promise<Done<Operator>> {
  const found = await findPerson(tx, LENDER, email)
  if (!found) throw unknownPerson(email)
  const operator = await removePerson(tx, { ...LENDER, now }, found.id)
  const { id, ...before } = operator
  const act = { action: 'operators.remove' as const, subject: subjectOf({ id }), before }
  return { result: operator, act }
}

/** Refuses `validation_failed`. */
export async function actCreateToken(
  tx: Tx,
  operator: Operator,
  terms: TokenTerms,
  now: Date,
): Promise<Done<{ id: string; token: string }>> {
  const result = await createOperatorToken(tx, operator, terms, now)
  const key = { ...LENDER, personId: operator.id }
  await mailAboutAccount(tx, key, { event: 'token_made', subjectId: result.id }, now)
  const after = { token_id: result.id, name: terms.name, expires_at: terms.expiresAt }
  const act = { action: 'operators.create_token' as const, subject: subjectOf(operator), after }
  return { result, act }
}

/** Refuses `not_found`. */
export async function actRevokeToken(tx: Tx, tokenId: string, now: Date): Promise<Done<void>> {
  const before = await revokeOperatorToken(tx, tokenId, now)
  const subject = { kind: 'operator_token', id: tokenId }
  const act = { action: 'operators.revoke_token' as const, subject, before }
  return { result: undefined, act }
}
