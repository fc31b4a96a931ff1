import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { addMs, HOUR_MS } from '../../core/time.ts'
import type { Tx } from '../../db/database.ts'
import type { InvitationKind } from '../../db/schema/console.ts'
import { newToken } from '../sign-in/tokens.ts'
import { type Actor, recordAction } from './actions.ts'
import { insertInvitation, lockPerson, takeInvitation } from './people-queries.ts'
import { deletePasskeys } from './sign-in/passkey-queries.ts'
import { updateSessionsEnded } from './sign-in/session-queries.ts'
import { openSession } from './sign-in/sessions.ts'
import { parseTenantToken } from './sign-in/tenant-tokens.ts'

const VALID_MS = 24 * HOUR_MS

/** Returns the token, which is stored nowhere. It opens one session, within 24 hours. */
export async function invite(
  tx: Tx,
  { tenantId, personId, now }: { tenantId: string; personId: string; now: Date },
  kind: InvitationKind,
): Promise<string> {
  const { token, hash } = newToken(tenantId)
  await insertInvitation(tx, {
    ...{ tenantId, personId, kind },
    invitationId: newId('inv'),
    tokenHash: hash,
    createdAt: now,
    expiresAt: addMs(now, VALID_MS),
  })
  return token
}

/** Opens a session and returns its token. After an invitation it is the person's only one, and they
 * have no passkey. Refuses `link_invalid`, with one answer for links that are unknown, used or
 * expired; `allowsLinks` is true on a local stack. */
export async function redeem(
  tx: Tx,
  given: string,
  { requestId, now, allowsLinks }: Pick<Actor, 'requestId' | 'now'> & { allowsLinks: boolean },
): Promise<string> {
  const parsed = parseTenantToken(given)
  const taken = parsed && (await takeInvitation(tx, parsed.tenantId, parsed.hash, now))
  if (!parsed || !taken || (taken.kind === 'link' && !allowsLinks)) throw linkInvalid()
  const actor = { tenantId: parsed.tenantId, personId: taken.person_id, requestId, now }
  if (taken.kind === 'invitation') await endFormerAccess(tx, actor)
  return await openSession(tx, actor, taken.kind)
}

/** Of a lost device, or of someone who took over what was the person's. */
async function endFormerAccess(tx: Tx, actor: Actor & { personId: string }): Promise<void> {
  const { tenantId, personId, now } = actor
  await lockPerson(tx, tenantId, personId)
  // Passkeys first: who signs in by one meanwhile has a session that ends next.
  const passkeys = await deletePasskeys(tx, tenantId, personId)
  const sessions = await updateSessionsEnded(tx, tenantId, personId, now)
  if (passkeys + sessions === 0) return
  const before = { passkeys, sessions }
  await recordAction(tx, actor, { action: 'endFormerAccess', subject: personId, before })
}

function linkInvalid(): Refusal {
  return new Refusal('link_invalid', 'The link is not valid: each opens once, within 24 hours.')
}
