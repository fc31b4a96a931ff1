import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { violatedConstraint } from '../../db/errors.ts'
import { mailAboutAccount } from '../mails/account-mails.ts'
import {
  deletePasskey,
  insertPasskey,
  type NewCredential,
  selectPasskeyCount,
  selectPasskeys,
  updatePasskeyUsed,
} from './passkey-queries.ts'
import { lockPerson } from './people-queries.ts'
import { keyOf, type PersonKey } from './person.ts'
import { actAs, recordSignInAct, type When } from './record.ts'
import { isSessionOpen, updatePasskeyAdded } from './session-queries.ts'
import type { Session } from './sessions.ts'
import type { UsedPasskey } from './webauthn.ts'

const MOST = 10

export type Passkey = {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
}

export async function countPasskeys(db: Db, key: PersonKey): Promise<number> {
  return await selectPasskeyCount(db, key)
}

export async function listPasskeys(db: Db, key: PersonKey): Promise<Passkey[]> {
  return (await selectPasskeys(db, key)).map((row) => ({
    id: row.passkey_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }))
}

export type NewPasskey = {
  name: string
  credential: NewCredential
  /** A passkey of the person that agreed. */
  confirmedBy: UsedPasskey | undefined
}

/** Frees the session from asking for one. Refuses `passkey_required` where the person has others
 * and none agreed, `limit_reached`, `already_exists`, and `session_required` for an ended session. */
export async function addPasskey(
  tx: Tx,
  session: Session,
  { name, credential, confirmedBy }: NewPasskey,
  when: When,
): Promise<Passkey> {
  const key = keyOf(session)
  await lockPerson(tx, key)
  // An invitation that is accepted at the same time ends the session and removes its passkeys.
  if (!(await isSessionOpen(tx, key, session.id))) {
    throw new Refusal('session_required', 'The session has ended.')
  }
  const count = await countPasskeys(tx, key)
  if (count > 0 && !confirmedBy) {
    throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
  }
  if (confirmedBy) await noteUse(tx, confirmedBy, when.now)
  if (count >= MOST) {
    throw new Refusal('limit_reached', `A person can have ${MOST} passkeys; delete one first.`)
  }
  const id = newId('psk')
  try {
    await insertPasskey(tx, key, { ...credential, passkeyId: id, name, createdAt: when.now })
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
  return { id, name, createdAt: when.now, lastUsedAt: undefined }
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
  if ((await countPasskeys(tx, key)) === 0) {
    throw new Refusal('passkey_required', 'This is your last passkey: add another first.')
  }
  await mailAboutAccount(tx, key, { event: 'passkey_removed', subjectId: passkeyId }, when.now)
  const act = { act: 'removePasskey' as const, passkey: { id: passkeyId, name } }
  await recordSignInAct(tx, actAs(session, when), session.person.id, act)
}

/** Refuses `passkey_invalid` where another use of the same counter came first. */
export async function noteUse(
  tx: Tx,
  { key, passkeyId, counter }: UsedPasskey,
  now: Date,
): Promise<void> {
  const use = { passkeyId, from: counter.before, to: counter.after, now }
  if (!(await updatePasskeyUsed(tx, key, use))) {
    throw new Refusal('passkey_invalid', 'The passkey was used elsewhere at the same time.')
  }
}
