import { isId } from '../../../core/ids.ts'
import type { ChallengeFor } from '../../sign-in/challenges.ts'
import type { Holder, PasskeyStore } from '../../sign-in/passkey-store.ts'
import { lockPerson } from '../people-queries.ts'
import {
  countPasskeysOf,
  deletePasskey,
  insertPasskey,
  selectPasskeyByCredential,
  selectPasskeys,
  updatePasskeyUsed,
} from './passkey-queries.ts'
import { isSessionOpen, updatePasskeyAdded } from './session-queries.ts'
import type { ConsoleSession } from './sessions.ts'

export type TenantPerson = { tenantId: string; personId: string }

/** The passkeys of tenants' people. */
export const PEOPLE_PASSKEYS: PasskeyStore<TenantPerson> = {
  siteName: 'Lending service console',
  challenges: 'console_challenges',
  toHandle: ({ tenantId, personId }) => `${tenantId}/${personId}`,
  fromHandle(handle) {
    const [tenantId = '', personId = ''] = handle.split('/')
    return isId('ten', tenantId) && isId('per', personId) ? { tenantId, personId } : undefined
  },
  list: (db, { tenantId, personId }) => selectPasskeys(db, tenantId, personId),
  count: (db, { tenantId, personId }) => countPasskeysOf(db, tenantId, personId),
  async find(db, { tenantId, personId }, credentialId) {
    const passkey = await selectPasskeyByCredential(db, tenantId, credentialId)
    return passkey?.person_id === personId ? passkey : undefined
  },
  insert: (tx, owner, passkey) => insertPasskey(tx, { ...owner, ...passkey }),
  markUsed: (tx, { tenantId }, { passkeyId, ...use }) =>
    updatePasskeyUsed(tx, tenantId, passkeyId, use),
  remove: (tx, { tenantId, personId }, passkeyId) =>
    deletePasskey(tx, tenantId, personId, passkeyId),
  lockOwner: (tx, { tenantId, personId }) => lockPerson(tx, tenantId, personId),
  isSessionOpen: (tx, { tenantId }, sessionId) => isSessionOpen(tx, tenantId, sessionId),
  markAdded: (tx, { tenantId }, sessionId) => updatePasskeyAdded(tx, tenantId, sessionId),
}

export function holderOf({ id, tenant, person }: ConsoleSession): Holder<TenantPerson> {
  return {
    owner: { tenantId: tenant.id, personId: person.id },
    ...{ personId: person.id, sessionId: id, email: person.email, name: person.name },
  }
}

/** What a session alone is not enough for. */
export type ConfirmedAct = 'add_passkey' | 'invite' | { revokeKey: string }

/** An invitation is for a passkey too, of another person. */
export function confirmationOf({ id, person }: ConsoleSession, act: ConfirmedAct): ChallengeFor {
  if (act === 'add_passkey') return { purpose: act, subject: `${person.id}/${id}` }
  if (act === 'invite') return { purpose: 'add_passkey', subject: `${person.id}/${id}/invite` }
  return { purpose: 'revoke_key', subject: `${person.id}/${act.revokeKey}` }
}
