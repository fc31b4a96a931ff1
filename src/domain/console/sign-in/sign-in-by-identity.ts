import { Refusal } from '../../../core/errors.ts'
import type { Tx } from '../../../db/database.ts'
import type { Identity } from '../../sign-in/identity-provider.ts'
import type { Actor } from '../actions.ts'
import { selectPeopleBySubject, selectUnboundByEmail, updateSubject } from '../people-queries.ts'
import { openSession } from './sessions.ts'

export type IdentitySignIn = Pick<Actor, 'requestId' | 'now'> & {
  /** Needed by a person of several tenants. */
  tenantId: string | undefined
}

/** Opens a session of the person who was bound to this identity at an earlier sign-in, or else was
 * invited by its verified address. Returns its token. Refuses `oidc_refused`. */
export async function signInByIdentity(
  tx: Tx,
  identity: Identity,
  { requestId, now, tenantId }: IdentitySignIn,
): Promise<string> {
  const isMeant = (row: { tenant_id: string }) =>
    tenantId === undefined || row.tenant_id === tenantId
  const bound = (await selectPeopleBySubject(tx, identity.subject)).filter(isMeant)
  const found = bound.length > 0 ? bound : (await findInvited(tx, identity)).filter(isMeant)
  const [person, ...others] = found
  if (!person) throw refused('The console knows no person of this identity: ask for an invitation.')
  if (others.length > 0) {
    throw refused('This person belongs to several tenants: open the sign-in of one of them.')
  }
  const { tenant_id: ownTenant, person_id: personId } = person
  if (bound.length === 0 && !(await updateSubject(tx, ownTenant, personId, identity.subject))) {
    throw refused('This person was bound to another identity just now.')
  }
  return await openSession(tx, { tenantId: ownTenant, personId, requestId, now }, 'oidc')
}

/** An address that the provider has not verified could be anyone's. */
async function findInvited(tx: Tx, { email, isEmailVerified }: Identity) {
  return email !== undefined && isEmailVerified ? await selectUnboundByEmail(tx, email) : []
}

function refused(detail: string): Refusal {
  return new Refusal('oidc_refused', detail)
}
