import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Db, Tx } from '../../db/database.ts'
import { formatPublicKey, parsePublicKey } from './public-key.ts'
import { insertKey, lockTenant, selectKeys, updateKeyRevoked } from './queries.ts'

export type KeyState = 'active' | 'expired' | 'revoked'

export type ApiKey = {
  id: string
  label: string
  scopes: string[]
  publicKey: Buffer
  publicKeyPem: string
  state: KeyState
  createdAt: Date
  expiresAt: Date | undefined
  revokedAt: Date | undefined
  /** To the minute. */
  lastUsedAt: Date | undefined
}

export type KeyRegistration = {
  publicKeyPem: string
  label: string
  scopes: readonly Scope[]
  expiresAt: Date | undefined
}

/** Refuses `validation_failed` for an unsound Ed25519 point, a repeated key or a past expiry,
 * `not_found` for an unknown tenant, and `limit_reached`. Uses real time. */
export async function registerKey(
  tx: Tx,
  tenantId: string,
  registration: KeyRegistration,
  limits: { maxActive: number; now: Date },
): Promise<string> {
  const raw = parsePublicKey(registration.publicKeyPem)
  if (typeof raw === 'string') throw new Refusal('validation_failed', `Public key refused: ${raw}.`)
  if (registration.expiresAt && registration.expiresAt <= limits.now) {
    throw new Refusal('validation_failed', 'The expiry of a key must lie in the future.')
  }
  if (!(await lockTenant(tx, tenantId))) {
    throw new Refusal('not_found', `There is no open tenant ${tenantId}.`)
  }
  const keys = await listKeys(tx, tenantId, limits.now)
  const publicKeyPem = formatPublicKey(raw)
  // The tenant's lock orders two registrations of one key.
  const same = keys.find((key) => key.publicKeyPem === publicKeyPem)
  if (same) throw alreadyRegistered(same)
  const active = keys.filter((key) => key.state === 'active')
  if (active.length >= limits.maxActive) {
    throw new Refusal(
      'limit_reached',
      `The tenant already has ${active.length} active keys; revoke one first.`,
    )
  }
  const keyId = newId('key')
  await insertKey(tx, {
    tenantId,
    keyId,
    publicKey: raw,
    label: registration.label,
    scopes: registration.scopes,
    createdAt: limits.now,
    expiresAt: registration.expiresAt,
  })
  return keyId
}

function alreadyRegistered({ id, state }: ApiKey): Refusal {
  const message =
    state === 'active'
      ? `This public key is registered already, as ${id}.`
      : `This public key was registered before, as ${id}, which is ${state} and cannot be used again: make a new pair.`
  return new Refusal('already_exists', message)
}

export async function listKeys(db: Db, tenantId: string, now: Date): Promise<ApiKey[]> {
  const rows = await selectKeys(db, tenantId)
  return rows.map((row) => ({
    id: row.key_id,
    label: row.label,
    scopes: row.scopes,
    publicKey: row.public_key,
    publicKeyPem: formatPublicKey(row.public_key),
    state: keyState(row.revoked_at, row.expires_at, now),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastUsedAt: row.last_used_at ?? undefined,
  }))
}

function keyState(revokedAt: Date | null, expiresAt: Date | null, now: Date): KeyState {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** Every process refuses the key within five seconds. */
export async function revokeKey(tx: Tx, tenantId: string, keyId: string, now: Date): Promise<void> {
  if (!(await updateKeyRevoked(tx, tenantId, keyId, now))) {
    throw new Refusal('not_found', `Tenant ${tenantId} has no active key ${keyId}.`)
  }
}
