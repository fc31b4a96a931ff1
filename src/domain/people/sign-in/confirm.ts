import { Refusal } from '../../../core/errors.ts'
import { addMs, MINUTE_MS } from '../../../core/time.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { assertNotWaiting } from '../links/replacements.ts'
import { keyOf } from '../person.ts'
import { countPasskeys, noteUse } from './passkeys.ts'
import { updateSessionConfirmed } from './session-queries.ts'
import type { Session } from './sessions.ts'
import type { UsedPasskey } from './webauthn.ts'

/** A passkey that is given within a session counts for so long. */
const CONFIRMED_MS = 5 * MINUTE_MS

type Given = { now: Date; isLocal: boolean }

/** Before what outlives a session: keys, webhooks, roles, people, passkeys, tokens, links. On a local stack
 * its link is enough until its person has a passkey. Refuses `link_waiting` and `passkey_required`. */
export async function assertConfirmed(db: Db, session: Session, given: Given): Promise<void> {
  await assertNotWaiting(db, session, given.now)
  await assertPasskeyGiven(db, session, given)
}

/** Before a link is refused. Who has no passkey signs in again at the provider, which asks who they are.
 * Refuses `passkey_required`. */
export async function assertProven(db: Db, session: Session, given: Given): Promise<void> {
  if (!isRecent(session.provenAt, given.now)) await assertPasskeyGiven(db, session, given)
}

async function assertPasskeyGiven(
  db: Db,
  session: Session,
  { now, isLocal }: Given,
): Promise<void> {
  if (isRecent(session.confirmedAt, now)) return
  if (isLocal && session.signedInBy === 'link' && (await countPasskeys(db, keyOf(session))) === 0) {
    return
  }
  throw new Refusal('passkey_required', 'Confirm with a passkey of yours; it counts for 5 minutes.')
}

/** Refuses `passkey_invalid`, and `session_required` for a session that has ended. */
export async function confirmSession(
  tx: Tx,
  session: Session,
  used: UsedPasskey,
  now: Date,
): Promise<void> {
  await noteUse(tx, used, now)
  const confirmed = { now, heldSince: used.heldSince }
  if (await updateSessionConfirmed(tx, session.people, session.id, confirmed)) return
  throw new Refusal('session_required', 'The session has ended.')
}

/** Whether a person without a passkey may add one: shortly after they proved who they are by a link or
 * at their provider. A session alone may be stolen. */
export async function mayAddFirst(
  db: Db,
  session: Session,
  { now, isLocal }: Given,
): Promise<boolean> {
  const isProven = isRecent(session.provenAt, now) || (isLocal && session.signedInBy === 'link')
  return isProven && (await countPasskeys(db, keyOf(session))) === 0
}

export function isRecent(at: Date | undefined, now: Date): boolean {
  return at !== undefined && now < addMs(at, CONFIRMED_MS)
}
