import type { Db, Tx } from '../../../db/database.ts'
import {
  addPasskeyTo,
  listPasskeysIn,
  type NewPasskey,
  noteUseIn,
  type Passkey,
  removePasskeyFrom,
} from '../../sign-in/passkeys.ts'
import type { UsedPasskey } from '../../sign-in/webauthn.ts'
import { type Actor, recordAction } from '../actions.ts'
import { PEOPLE_PASSKEYS, type TenantPerson } from './people-passkeys.ts'

export async function countPasskeys(db: Db, tenantId: string, personId: string): Promise<number> {
  return await PEOPLE_PASSKEYS.count(db, { tenantId, personId })
}

export async function listPasskeys(db: Db, tenantId: string, personId: string): Promise<Passkey[]> {
  return await listPasskeysIn(PEOPLE_PASSKEYS, db, { tenantId, personId })
}

/** As `addPasskeyTo`, and recorded. */
export async function addPasskey(
  tx: Tx,
  actor: Actor & { personId: string; sessionId: string },
  passkey: NewPasskey<TenantPerson>,
): Promise<Passkey> {
  const { tenantId, personId, sessionId, now } = actor
  const holder = { owner: { tenantId, personId }, sessionId }
  const added = await addPasskeyTo(PEOPLE_PASSKEYS, { tx, now }, holder, passkey)
  const after = { name: added.name }
  await recordAction(tx, actor, { action: 'addPasskey', subject: added.id, after })
  return added
}

/** As `removePasskeyFrom`, and recorded. */
export async function removePasskey(
  tx: Tx,
  actor: Actor & { personId: string },
  passkeyId: string,
): Promise<void> {
  const { tenantId, personId } = actor
  const owner = { tenantId, personId }
  const name = await removePasskeyFrom(PEOPLE_PASSKEYS, tx, owner, passkeyId)
  await recordAction(tx, actor, { action: 'removePasskey', subject: passkeyId, before: { name } })
}

/** Refuses `passkey_invalid` where another use of the same counter came first. */
export async function noteUse(tx: Tx, used: UsedPasskey<TenantPerson>, now: Date): Promise<void> {
  await noteUseIn(PEOPLE_PASSKEYS, tx, used, now)
}
