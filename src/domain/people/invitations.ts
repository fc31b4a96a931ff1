import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { addMs, HOUR_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { Audience } from '../../db/people-tables.ts'
import type { InvitationKind } from '../../db/schema/console.ts'
import { recordAction } from '../console/actions.ts'
import { deleteInvitations, insertInvitation, takeInvitation } from './invitation-queries.ts'
import { getMember } from './members.ts'
import { deletePasskeys } from './passkey-queries.ts'
import type { Member, PersonKey } from './person.ts'
import { actAs, type When } from './record.ts'
import { updateSessionsEnded } from './session-queries.ts'
import { openSession } from './sessions.ts'
import { newTokenOf, parseTokenOf } from './tokens.ts'

const VALID_MS = 24 * HOUR_MS

/** Returns the token, which is stored nowhere. It opens one session, within 24 hours; invitations
 * that were made before end. */
export async function invite(
  tx: Tx,
  key: PersonKey,
  kind: InvitationKind,
  now: Date,
): Promise<string> {
  const { token, hash } = newTokenOf(key, 'invitation')
  if (kind === 'invitation') await deleteInvitations(tx, key)
  await insertInvitation(tx, key, {
    ...{ invitationId: newId('inv'), kind, tokenHash: hash },
    ...{ createdAt: now, expiresAt: addMs(now, VALID_MS) },
  })
  return token
}

/** Opens a session and returns its token. After an invitation it is the person's only one, and they
 * have no passkey. Refuses `link_invalid`, with one answer for links that are unknown, used or
 * expired, and `session_required` for one who was removed; `allowsLinks` is true on a local stack. */
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
  if (taken.kind === 'invitation') await endFormerAccess(tx, member, when)
  return await openSession(tx, member, when, taken.kind)
}

/** Of a lost device, or of someone who took over what was the person's. */
async function endFormerAccess(tx: Tx, member: Member, when: When): Promise<void> {
  const before = await endAccess(tx, { ...member.people, personId: member.person.id }, when.now)
  const acting = actAs(member, when)
  if (acting.audience === 'lender' || before.passkeys + before.sessions === 0) return
  await recordAction(tx, acting, { action: 'endFormerAccess', subject: member.person.id, before })
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
