import { Refusal } from '../../../core/errors.ts'
import { newId } from '../../../core/ids.ts'
import { addMs, DAY_MS, HOUR_MS, laterOf } from '../../../core/time.ts'
import type { Tx } from '../../../db/database.ts'
import type { InvitationKind } from '../../../db/schema/console.ts'
import type { Audience } from '../../../db/sql/people-tables.ts'
import { recordAction } from '../../console/actions.ts'
import { mailAboutAccount } from '../../mails/account-mails.ts'
import { getMember } from '../members.ts'
import { selectHasCredentials } from '../people-queries.ts'
import { keyOf, type Member, type PersonKey } from '../person.ts'
import { actAs, type When } from '../record.ts'
import { deletePasskeys } from '../sign-in/passkey-queries.ts'
import { updateSessionsEnded } from '../sign-in/session-queries.ts'
import { openSession } from '../sign-in/sessions.ts'
import { newTokenOf, parseTokenOf } from '../tokens.ts'
import { deleteInvitations, insertInvitation, takeInvitation } from './invitation-queries.ts'
import { updateAccessEnding, updateReplaces } from './replacement-queries.ts'
import { findReplacement } from './replacements.ts'

const VALID_MS = 24 * HOUR_MS

/** Who was given a new link keeps what they had for so long, and who confirms as a second operator
 * has held what they confirm with for so long: time to see what was done in one's name. */
export const SETTLED_MS = DAY_MS

export type NewLink = {
  kind: InvitationKind
  /** The system's user made it at the command line, who is trusted with everything. */
  isTrusted: boolean
  now: Date
}

/** Returns the token, which is stored nowhere. It opens one session, within 24 hours; invitations
 * that were made before end. */
export async function invite(tx: Tx, key: PersonKey, link: NewLink): Promise<string> {
  const { kind, isTrusted, now } = link
  const { token, hash } = newTokenOf(key, 'invitation')
  if (kind === 'invitation') await deleteInvitations(tx, key)
  await insertInvitation(tx, key, {
    ...{ invitationId: newId('inv'), kind, isTrusted, tokenHash: hash },
    ...{ createdAt: now, expiresAt: addMs(now, VALID_MS) },
  })
  return token
}

/** Opens a session and returns its token. What the person had before ends a day after the invitation was
 * made; sessions of one who cannot sign in without a link end immediately. Refuses `link_invalid`, with one answer for links that are unknown, used or expired, and
 * `session_required` for one who was removed; `allowsLinks` is true on a local stack. */
export async function redeem(
  tx: Tx,
  audience: Audience,
  given: string,
  { allowsLinks, ...when }: When & { allowsLinks: boolean },
): Promise<string> {
  const parsed = parseTokenOf(audience, 'invitation', given)
  const taken = parsed && (await takeInvitation(tx, parsed.people, parsed.hash, when.now))
  if (!parsed || !taken || (taken.kind === 'link' && !allowsLinks)) throw linkInvalid()
  const member = await getMember(tx, { ...parsed.people, personId: taken.person_id })
  const { kind, is_trusted: isTrusted } = taken
  if (kind === 'invitation') {
    await replaceFormerAccess(tx, member, taken, when)
    await mailAboutAccount(tx, keyOf(member), { event: 'link_opened' }, when.now)
  }
  const heldSince = isTrusted ? undefined : when.now
  return await openSession(tx, member, when, {
    ...{ signedInBy: kind, heldSince, provenAt: when.now },
  })
}

/** Ends the access of a lost device, or of someone who took over what was the person's. */
async function replaceFormerAccess(
  tx: Tx,
  member: Member,
  link: { invitation_id: string; created_at: Date },
  when: When,
) {
  const key = keyOf(member)
  const replaces = await selectHasCredentials(tx, key, when.now)
  const endsAt = replaces ? await findEnd(tx, key, link.created_at, when.now) : when.now
  const before = await updateAccessEnding(tx, key, endsAt)
  if (replaces) await updateReplaces(tx, key, link.invitation_id, endsAt)
  const acting = actAs(member, when)
  if (acting.audience === 'lender' || (!replaces && before.sessions === 0)) return
  const after = { ends_at: endsAt.toISOString() }
  const action = { action: 'endFormerAccess', subject: member.person.id, before, after }
  await recordAction(tx, acting, action)
}

/** A day after the link was made, and after every other link that waits: a refusal knows by the instant what
 * came by which, also where the clocks of two processes differ. */
async function findEnd(tx: Tx, key: PersonKey, madeAt: Date, now: Date): Promise<Date> {
  const other = await findReplacement(tx, key, now)
  return laterOf(other && addMs(other, 1), addMs(madeAt, SETTLED_MS))
}

/** Returns how many passkeys and sessions there were. Passkeys first: who signs in by one meanwhile
 * has a session that ends next. */
export async function endAccess(tx: Tx, key: PersonKey, now: Date) {
  await deleteInvitations(tx, key)
  const passkeys = await deletePasskeys(tx, key)
  return { passkeys, sessions: await updateSessionsEnded(tx, key, now) }
}

function linkInvalid(): Refusal {
  return new Refusal('link_invalid', 'The link is not valid: each opens once, within 24 hours.')
}
