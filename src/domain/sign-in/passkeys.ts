import { Refusal } from '../../core/errors.ts'
import { isId, newId } from '../../core/ids.ts'
import type { Db, Tx } from '../../db/database.ts'
import { violatedConstraint } from '../../db/errors.ts'
import type { Holder, NewCredential, PasskeyStore } from './passkey-store.ts'
import type { UsedPasskey } from './webauthn.ts'

const MOST = 10

export type Passkey = {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
}

export async function listPasskeysIn<Owner>(
  store: PasskeyStore<Owner>,
  db: Db,
  owner: Owner,
): Promise<Passkey[]> {
  return (await store.list(db, owner)).map((row) => ({
    id: row.passkey_id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at ?? undefined,
  }))
}

export type NewPasskey<Owner> = {
  name: string
  credential: NewCredential
  /** A passkey of the person that agreed. */
  confirmedBy: UsedPasskey<Owner> | undefined
}

/** Frees the session from asking for one. Refuses `passkey_required` where the person has others
 * and none agreed, `limit_reached`, `already_exists`, and `session_required` for an ended session. */
export async function addPasskeyTo<Owner>(
  store: PasskeyStore<Owner>,
  { tx, now }: { tx: Tx; now: Date },
  { owner, sessionId }: Pick<Holder<Owner>, 'owner' | 'sessionId'>,
  { name, credential, confirmedBy }: NewPasskey<Owner>,
): Promise<Passkey> {
  await store.lockOwner(tx, owner)
  // An invitation that is accepted at the same time ends the session and removes its passkeys.
  if (!(await store.isSessionOpen(tx, owner, sessionId))) {
    throw new Refusal('session_required', 'The session has ended.')
  }
  const count = await store.count(tx, owner)
  if (count > 0 && !confirmedBy) {
    throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
  }
  if (confirmedBy) await noteUseIn(store, tx, confirmedBy, now)
  if (count >= MOST) {
    throw new Refusal('limit_reached', `A person can have ${MOST} passkeys; delete one first.`)
  }
  const id = newId('psk')
  try {
    await store.insert(tx, owner, { ...credential, passkeyId: id, name, createdAt: now })
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('credential_id_key')) {
      throw new Refusal('already_exists', 'This passkey is registered already.')
    }
    throw error
  }
  await store.markAdded(tx, owner, sessionId)
  return { id, name, createdAt: now, lastUsedAt: undefined }
}

/** Returns its name. Refuses `not_found`, and `passkey_required` for the last one. */
export async function removePasskeyFrom<Owner>(
  store: PasskeyStore<Owner>,
  tx: Tx,
  owner: Owner,
  passkeyId: string,
): Promise<string> {
  // Two removals at once would each leave the other's.
  await store.lockOwner(tx, owner)
  const name = isId('psk', passkeyId) && (await store.remove(tx, owner, passkeyId))
  if (!name) throw new Refusal('not_found', 'You have no such passkey.')
  // With none left, the session alone could add another.
  if ((await store.count(tx, owner)) === 0) {
    throw new Refusal('passkey_required', 'This is your last passkey: add another first.')
  }
  return name
}

/** Refuses `passkey_invalid` where another use of the same counter came first. */
export async function noteUseIn<Owner>(
  store: PasskeyStore<Owner>,
  tx: Tx,
  { owner, passkeyId, counter }: UsedPasskey<Owner>,
  now: Date,
): Promise<void> {
  const use = { passkeyId, from: counter.before, to: counter.after, now }
  if (!(await store.markUsed(tx, owner, use))) {
    throw new Refusal('passkey_invalid', 'The passkey was used elsewhere at the same time.')
  }
}
