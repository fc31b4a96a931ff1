import { Refusal } from '../../../core/errors.ts'
import { isId, newId } from '../../../core/ids.ts'
import { laterOf } from '../../../core/time.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/errors.ts'
import { mailAboutAccount } from '../../mails/account-mails.ts'
import { deleteInvitations } from '../links/invitation-queries.ts'
import { lockPerson } from '../people-queries.ts'
import { keyOf, type PersonKey } from '../person.ts'
import { actAs, recordSignInAct, type When } from '../record.ts'
import {
  deletePasskey,
  insertPasskey,
  type NewCredential,
  selectPasskeyCount,
  selectPasskeys,
  updatePasskeyUsed,
} from './passkey-queries.ts'
import { updatePasskeyAdded } from './session-queries.ts'
import { lockOpenSession, type Session } from './sessions.ts'
import type { UsedPasskey } from './webauthn.ts'

const MOST = 10

export type Passkey = {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
  /** A new link replaces it then. */
  endsAt: Date | undefined
}

export async function countPasskeys(db: Db, key: PersonKey): Promise<number> {
  return await selectPasskeyCount(db, key)
}

export async function listPasskeys(db: Db, key: PersonKey, now: Date): Promise<Passkey[]> {
  return (await selectPasskeys(db, key, now)).map((row) => ({
    id: row.passkey_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
  }))
}

export type NewPasskey = {
  name: string
  credential: NewCredential
}

/** Frees the session from asking for one. The caller has asserted that the session is confirmed, or for
 * the first passkey proven: `isFirst`. Refuses `passkey_required` for a first one of a person who has
 * others, `limit_reached`, `already_exists`, and `session_required` for an ended session. */
export async function addPasskey(
  tx: Tx,
  session: Session,
  { name, credential, isFirst }: NewPasskey & { isFirst: boolean },
  when: When,
): Promise<Passkey> {
  const key = keyOf(session)
  // What a new link replaces adds nothing that stays.
  const endsAt = await lockOpenSession(tx, session)
  const count = await selectPasskeyCount(tx, key)
  if (isFirst && count > 0) {
    throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
  }
  if (count >= MOST) {
    throw new Refusal('limit_reached', `A person can have ${MOST} passkeys; delete one first.`)
  }
  // A link that someone has kept is not needed any more.
  if (isFirst) await deleteInvitations(tx, key)
  const id = newId('psk')
  try {
    // Never older than what led to it, by whichever process's clock.
    const heldSince =
      isFirst && isWayBack(session) ? undefined : laterOf(session.heldSince, when.now)
    const named = { passkeyId: id, name, createdAt: when.now, heldSince, endsAt }
    await insertPasskey(tx, key, { ...credential, ...named })
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('credential_id_key')) {
      throw new Refusal('already_exists', 'This passkey is registered already.')
    }
    throw error
  }
  await updatePasskeyAdded(tx, key, session.id)
  await mailAboutAccount(tx, key, { event: 'passkey_added', subjectId: id }, when.now)
  const act = { act: 'addPasskey' as const, passkey: { id, name } }
  await recordSignInAct(tx, actAs(session, when), session.person.id, act)
  return { id, name, createdAt: when.now, lastUsedAt: undefined, endsAt }
}

/** The session began with a link of the system's user. */
function isWayBack({ signedInBy, heldSince }: Session): boolean {
  return (signedInBy === 'invitation' || signedInBy === 'link') && heldSince === undefined
}

/** Refuses `not_found`, and `passkey_required` for the last one. */
export async function removePasskey(
  tx: Tx,
  session: Session,
  passkeyId: string,
  when: When,
): Promise<void> {
  const key = keyOf(session)
  // Two removals at once would each leave the other's.
  await lockPerson(tx, key)
  const name = isId('psk', passkeyId) && (await deletePasskey(tx, key, passkeyId))
  if (!name) throw new Refusal('not_found', 'You have no such passkey.')
  // With none left, the session alone could add another.
  if ((await selectPasskeyCount(tx, key)) === 0) {
    throw new Refusal('passkey_required', 'This is your last passkey: add another first.')
  }
  await mailAboutAccount(tx, key, { event: 'passkey_removed', subjectId: passkeyId }, when.now)
  const act = { act: 'removePasskey' as const, passkey: { id: passkeyId, name } }
  await recordSignInAct(tx, actAs(session, when), session.person.id, act)
}

/** Returns when the passkey ends: a new link may have been opened since the passkey was read. Refuses
 * `passkey_invalid` where another use of the same counter came first, or the passkey was removed. */
export async function noteUse(
  tx: Tx,
  { key, passkeyId, counter }: UsedPasskey,
  now: Date,
): Promise<Date | undefined> {
  const use = { passkeyId, from: counter.before, to: counter.after, now }
  const used = await updatePasskeyUsed(tx, key, use)
  if (used) return used.ends_at ?? undefined
  throw new Refusal('passkey_invalid', 'The passkey was used elsewhere at the same time.')
}
