import { Refusal } from '../../../core/errors.ts'
import type { Tx } from '../../../db/database.ts'
import type { Identity } from '../../sign-in/identity-provider.ts'
import type { Actor } from '../actions.ts'
import { selectPersonBySubject, selectUnboundByEmail, updateSubject } from '../people-queries.ts'
import { openSession } from './sessions.ts'

export type IdentitySignIn = Pick<Actor, 'requestId' | 'now'> & {
  /** Which one of a person of several tenants; without it the first of them. */
  tenantId: string | undefined
}

/** Opens a session of the person who was bound to this identity at an earlier sign-in, or else was
 * invited by its verified address. Returns its token. Refuses `oidc_refused`. */
export async function signInByIdentity(
  tx: Tx,
  identity: Identity,
  { requestId, now, tenantId }: IdentitySignIn,
): Promise<string> {
  const bound = await selectPersonBySubject(tx, identity.subject, tenantId)
  const person = bound ?? (await findInvited(tx, identity, tenantId))
  if (!person) throw refused('The console knows no person of this identity: ask for an invitation.')
  const { tenant_id: ownTenant, person_id: personId } = person
  if (!bound && !(await updateSubject(tx, ownTenant, personId, identity.subject))) {
    throw refused('This person was bound to another identity just now.')
  }
  return await openSession(tx, { tenantId: ownTenant, personId, requestId, now }, 'oidc')
}

/** An address that the provider has not verified could be anyone's. */
async function findInvited(
  tx: Tx,
  { email, isEmailVerified }: Identity,
  tenantId: string | undefined,
) {
  if (email === undefined || !isEmailVerified) return undefined
  return await selectUnboundByEmail(tx, email, tenantId)
}

function refused(detail: string): Refusal {
  return new Refusal('oidc_refused', detail)
}
