import { Refusal } from '../../core/errors.ts'
import type { Db, Tx } from '../../db/database.ts'
import { LENDER, peopleOf } from '../../db/people-tables.ts'
import type { Identity } from './identity-provider.ts'
import { getMember } from './members.ts'
import {
  type IdentityMatch,
  type SignInPeople,
  selectPersonByIdentity,
  updateSubject,
} from './people-queries.ts'
import type { PersonKey } from './person.ts'
import type { When } from './record.ts'
import { openSession } from './sessions.ts'

/** Opens a session of the person who was bound to this identity at an earlier sign-in, or else was
 * invited by its verified address. Returns its token. Refuses `oidc_refused`. */
export async function signInByIdentity(
  tx: Tx,
  people: SignInPeople,
  identity: Identity,
  when: When,
): Promise<string> {
  const { subject, email, isEmailVerified } = identity
  const bound = await find(tx, people, { subject })
  // An address that the provider has not verified could be anyone's.
  const isInvited = !bound && email !== undefined && isEmailVerified
  const key = isInvited ? await find(tx, people, { unboundEmail: email }) : bound
  if (!key) throw refused('No one here has this identity: ask for an invitation.')
  if (!bound && !(await updateSubject(tx, key, subject))) {
    throw refused('This person was bound to another identity just now.')
  }
  return await openSession(tx, await getMember(tx, key), when, 'oidc')
}

async function find(
  db: Db,
  people: SignInPeople,
  match: IdentityMatch,
): Promise<PersonKey | undefined> {
  const row = await selectPersonByIdentity(db, people, match)
  if (!row) return undefined
  const of = row.tenant_id === undefined ? LENDER : peopleOf(row.tenant_id)
  return { ...of, personId: row.person_id }
}

function refused(detail: string): Refusal {
  return new Refusal('oidc_refused', detail)
}
