import { isId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import type { ChallengeFor } from '../../sign-in/challenges.ts'
import type { Holder, PasskeyStore } from '../../sign-in/passkey-store.ts'
import {
  addPasskeyTo,
  listPasskeysIn,
  type NewPasskey,
  noteUseIn,
  type Passkey,
  removePasskeyFrom,
} from '../../sign-in/passkeys.ts'
import type { UsedPasskey } from '../../sign-in/webauthn.ts'
import { type ActingOperator, recordOperatorAction } from '../actions.ts'
import { lockOperator } from '../operator-queries.ts'
import {
  countOperatorPasskeys,
  deleteOperatorPasskey,
  insertOperatorPasskey,
  selectOperatorPasskey,
  selectOperatorPasskeys,
  updateOperatorPasskeyUsed,
} from './passkey-queries.ts'
import { isOperatorSessionOpen, updateOperatorPasskeyAdded } from './session-queries.ts'
import type { OperatorSession } from './sessions.ts'

/** The passkeys of operators. An owner is their id. */
export const OPERATOR_PASSKEYS: PasskeyStore<string> = {
  siteName: 'Lending service desk',
  challenges: 'operator_challenges',
  toHandle: (operatorId) => operatorId,
  fromHandle: (handle) => (isId('opr', handle) ? handle : undefined),
  list: selectOperatorPasskeys,
  count: countOperatorPasskeys,
  async find(db, operatorId, credentialId) {
    const passkey = await selectOperatorPasskey(db, credentialId)
    return passkey?.operator_id === operatorId ? passkey : undefined
  },
  insert: insertOperatorPasskey,
  markUsed: (tx, _operatorId, use) => updateOperatorPasskeyUsed(tx, use),
  remove: deleteOperatorPasskey,
  lockOwner: lockOperator,
  isSessionOpen: (tx, _operatorId, sessionId) => isOperatorSessionOpen(tx, sessionId),
  markAdded: (tx, _operatorId, sessionId) => updateOperatorPasskeyAdded(tx, sessionId),
}

export function holderOf({ id, person }: OperatorSession): Holder<string> {
  const { id: operatorId, email, name } = person
  return { owner: operatorId, personId: operatorId, sessionId: id, email, name }
}

/** What a session alone is not enough for: each gives access that outlives it. */
export type ConfirmedAct = 'add_passkey' | 'invite' | 'create_token'

export function confirmationOf({ id, person }: OperatorSession, act: ConfirmedAct): ChallengeFor {
  return { purpose: 'confirm', subject: `${person.id}/${id}/${act}` }
}

export async function countPasskeys(db: Db, operatorId: string): Promise<number> {
  return await countOperatorPasskeys(db, operatorId)
}

/** Refuses `passkey_invalid` where another use of the same counter came first. */
export async function noteOperatorPasskey(
  tx: Tx,
  used: UsedPasskey<string>,
  now: Date,
): Promise<void> {
  await noteUseIn(OPERATOR_PASSKEYS, tx, used, now)
}

export async function listPasskeys(db: Db, operatorId: string): Promise<Passkey[]> {
  return await listPasskeysIn(OPERATOR_PASSKEYS, db, operatorId)
}

/** As `addPasskeyTo`, and recorded. */
export async function addPasskey(
  tx: Tx,
  acting: ActingOperator,
  holder: Holder<string>,
  passkey: NewPasskey<string>,
): Promise<Passkey> {
  const { now } = acting
  const added = await addPasskeyTo(OPERATOR_PASSKEYS, { tx, now }, holder, passkey)
  await recordOperatorAction(tx, acting, {
    action: 'operators.add_passkey',
    subject: { kind: 'operator', id: holder.owner },
    after: { passkey_id: added.id, name: added.name },
  })
  return added
}

/** As `removePasskeyFrom`, and recorded. */
export async function removePasskey(
  tx: Tx,
  acting: ActingOperator,
  operatorId: string,
  passkeyId: string,
): Promise<void> {
  const name = await removePasskeyFrom(OPERATOR_PASSKEYS, tx, operatorId, passkeyId)
  await recordOperatorAction(tx, acting, {
    action: 'operators.remove_passkey',
    subject: { kind: 'operator', id: operatorId },
    before: { passkey_id: passkeyId, name },
  })
}
