import { Refusal } from '../../../core/errors.ts'
import type { Tx } from '../../../db/database.ts'
import type { Identity } from '../../sign-in/identity-provider.ts'
import { selectOperatorBySubject, updateOperatorSubject } from '../operator-queries.ts'
import { findOperator, toOperator } from '../operators.ts'
import { openOperatorSession } from './sessions.ts'

/** Opens a session of the operator who was bound to this identity at an earlier sign-in, or else was
 * invited by its verified address. Returns its token. Refuses `oidc_refused`. */
export async function signInByIdentity(
  tx: Tx,
  identity: Identity,
  terms: { requestId: string; now: Date },
): Promise<string> {
  const bound = await selectOperatorBySubject(tx, identity.subject)
  const operator = bound ? toOperator(bound) : await findInvited(tx, identity)
  if (!operator) throw refused('No operator has this identity: ask an admin to invite you.')
  // An operator who is bound to an identity is never bound to another.
  if (!bound && !(await updateOperatorSubject(tx, operator.id, identity.subject))) {
    throw refused('This operator signs in by another identity.')
  }
  return await openOperatorSession(tx, { operator, ...terms }, 'oidc')
}

/** An address that the provider has not verified could be anyone's. */
async function findInvited(tx: Tx, { email, isEmailVerified }: Identity) {
  return email !== undefined && isEmailVerified ? await findOperator(tx, email) : undefined
}

function refused(detail: string): Refusal {
  return new Refusal('oidc_refused', detail)
}
