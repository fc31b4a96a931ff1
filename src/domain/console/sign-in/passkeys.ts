import { Refusal } from '../../../core/errors.ts'
import { isId, newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { violatedConstraint } from '../../../db/errors.ts'
import { type Actor, recordAction } from '../actions.ts'
import { lockPerson } from '../people-queries.ts'
import {
  countPasskeysOf,
  deletePasskey,
  insertPasskey,
  selectPasskeys,
  updatePasskeyUsed,
} from './passkey-queries.ts'
import { isSessionOpen, updatePasskeyAdded } from './session-queries.ts'
import type { NewCredential, UsedPasskey } from './webauthn.ts'

const MOST = 10

export type Passkey = {
  id: string
  name: string
  createdAt: Date
  lastUsedAt: Date | undefined
}

export async function countPasskeys(db: Db, tenantId: string, personId: string): Promise<number> {
  return await countPasskeysOf(db, tenantId, personId)
}

export async function listPasskeys(db: Db, tenantId: string, personId: string): Promise<Passkey[]> {
  const rows = await selectPasskeys(db, tenantId, personId)
  return rows.map((row) => ({
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
  actor: Actor & { personId: string; sessionId: string },
  { name, credential, confirmedBy }: NewPasskey,
): Promise<Passkey> {
  const { tenantId, personId, now } = actor
  await lockPerson(tx, tenantId, personId)
  // An invitation that is accepted at the same time ends the session and removes its passkeys.
  if (!(await isSessionOpen(tx, tenantId, actor.sessionId))) {
    throw new Refusal('session_required', 'The session has ended.')
  }
  const count = await countPasskeysOf(tx, tenantId, personId)
  if (count > 0 && !confirmedBy) {
    throw new Refusal('passkey_required', 'Confirm with a passkey that you have.')
  }
  if (confirmedBy) await noteUse(tx, confirmedBy, now)
  if (count >= MOST) {
    throw new Refusal('limit_reached', `A person can have ${MOST} passkeys; delete one first.`)
  }
  const passkeyId = newId('psk')
  try {
    await insertPasskey(tx, { ...credential, tenantId, personId, passkeyId, name, createdAt: now })
  } catch (error) {
    if (violatedConstraint(error)?.endsWith('credential_id_key')) {
      throw new Refusal('already_exists', 'This passkey is registered already.')
    }
    throw error
  }
  await updatePasskeyAdded(tx, tenantId, actor.sessionId)
  await recordAction(tx, actor, { action: 'addPasskey', subject: passkeyId, after: { name } })
  return { id: passkeyId, name, createdAt: now, lastUsedAt: undefined }
}

/** Refuses `not_found`, and `passkey_required` for the last one. */
export async function removePasskey(
  tx: Tx,
  actor: Actor & { personId: string },
  passkeyId: string,
): Promise<void> {
  const { tenantId, personId } = actor
  // Two removals at once would each leave the other's.
  await lockPerson(tx, tenantId, personId)
  const name = isId('psk', passkeyId) && (await deletePasskey(tx, tenantId, personId, passkeyId))
  if (!name) throw new Refusal('not_found', 'You have no such passkey.')
  // With none left, the session alone could add another.
  if ((await countPasskeysOf(tx, tenantId, personId)) === 0) {
    throw new Refusal('passkey_required', 'This is your last passkey: add another first.')
  }
  await recordAction(tx, actor, {
    action: 'removePasskey',
    subject: passkeyId,
    before: { name },
  })
}

/** Refuses `passkey_invalid` where another use of the same counter came first. */
export async function noteUse(tx: Tx, passkey: UsedPasskey, now: Date): Promise<void> {
  const { tenantId, passkeyId, counter } = passkey
  const use = { from: counter.before, to: counter.after, now }
  if (!(await updatePasskeyUsed(tx, tenantId, passkeyId, use))) {
    throw new Refusal('passkey_invalid', 'The passkey was used elsewhere at the same time.')
  }
}
