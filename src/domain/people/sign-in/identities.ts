import { Refusal } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/errors.ts'
import { LENDER, peopleOf } from '../../../db/sql/people-tables.ts'
import { mailAboutAccount } from '../../mails/account-mails.ts'
import { deleteInvitations } from '../links/invitation-queries.ts'
import { findReplacement } from '../links/replacements.ts'
import { getMember } from '../members.ts'
import {
  type IdentityMatch,
  type SignInPeople,
  selectBinding,
  selectPersonByIdentity,
  updateSubject,
} from '../people-queries.ts'
import { keyOf, type Member, type PersonKey } from '../person.ts'
import { actAs, recordSignInAct, type When } from '../record.ts'
import { isRecent } from './confirm.ts'
import type { Identity } from './identity-provider.ts'
import { countPasskeys } from './passkeys.ts'
import { openSession, type Session } from './sessions.ts'

export type IdentitySignIn = {
  people: SignInPeople
  /** The session from which the person went to the provider. */
  former: Session | undefined
  /** The provider had to ask again who it is. */
  isFresh: boolean
}

/** Opens a session of the person who was bound to this identity at an earlier sign-in, or else was
 * invited by its verified address. Who has a passkey is bound from a session that it confirmed. Returns
 * its token. Refuses `oidc_refused`. */
export async function signInByIdentity(
  tx: Tx,
  identity: Identity,
  { people, former, isFresh }: IdentitySignIn,
  when: When,
): Promise<string> {
  const { subject, email, isEmailVerified, authenticatedAt } = identity
  const bound = await find(tx, people, { subject }, when.now)
  // An address that the provider has not verified could be anyone's.
  const isInvited = !bound && email !== undefined && isEmailVerified
  const key = isInvited ? await find(tx, people, { unboundEmail: email }, when.now) : bound
  if (!key) throw refused('No one here has this identity: ask for an invitation.')
  const member = await getMember(tx, key)
  if (!bound) await bind(tx, member, { subject, former, when })
  const provenAt = isFresh ? earlier(authenticatedAt, when.now) : undefined
  const binding = await selectBinding(tx, key)
  return await openSession(tx, member, when, {
    ...{ signedInBy: 'oidc', heldSince: binding?.oidc_bound_at ?? undefined },
    endsAt: binding?.oidc_ends_at ?? undefined,
    ...(provenAt && { provenAt }),
  })
}

/** A provider's clock may be ahead. */
function earlier(at: Date | undefined, now: Date): Date | undefined {
  return at && at > now ? now : at
}

async function bind(
  tx: Tx,
  member: Member,
  { subject, former, when }: { subject: string; former: Session | undefined; when: When },
): Promise<void> {
  const key = keyOf(member)
  const until = await findReplacement(tx, key, when.now)
  if (until) throw refused(`A new link waits. Sign in here from ${until.toISOString()} on.`)
  const isConfirmed = former?.person.id === key.personId && isRecent(former.confirmedAt, when.now)
  // An identity that a link has replaced comes back by what the link led to alone.
  const wasBound = (await selectBinding(tx, key))?.oidc_subject != null
  if ((wasBound || (await countPasskeys(tx, key)) > 0) && !isConfirmed) {
    throw refused('Sign in by your passkey and confirm by it first, then sign in here.')
  }
  const isBound = await updateSubject(tx, key, subject, when.now).catch((error: unknown) => {
    // By a link that replaced it: that person may bind it again.
    if (violatedConstraint(error) !== 'operators_one_by_subject') throw error
    throw refused('This identity was that of another person here.')
  })
  if (!isBound) throw refused('This person was bound to another identity just now.')
  // A link that someone has kept is not needed any more.
  await deleteInvitations(tx, key)
  await mailAboutAccount(tx, key, { event: 'identity_bound' }, when.now)
  await recordSignInAct(tx, actAs(member, when), key.personId, { act: 'bindIdentity' })
}

async function find(
  db: Db,
  people: SignInPeople,
  match: IdentityMatch,
  now: Date,
): Promise<PersonKey | undefined> {
  const row = await selectPersonByIdentity(db, people, match, now)
  if (!row) return undefined
  const of = row.tenant_id === undefined ? LENDER : peopleOf(row.tenant_id)
  return { ...of, personId: row.person_id }
}

function refused(detail: string): Refusal {
  return new Refusal('oidc_refused', detail)
}
