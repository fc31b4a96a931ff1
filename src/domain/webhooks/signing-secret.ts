import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import {
  addBatch,
  DecryptionError,
  type Resealed,
  reseal,
  type Sealer,
} from '../../core/sealing.ts'
import { type Db, inTransaction, runInSavepoint, type Tx } from '../../db/database.ts'
import { lockSequence } from '../events/queries.ts'
import {
  lockActiveWebhooks,
  lockSecretsOfOtherKeys,
  selectActiveWebhooks,
  selectSecret,
  updateSealedSecret,
  upsertSecret,
} from './queries.ts'

const contextOf = (tenantId: string) => `signing-secret/${tenantId}`

/**
 * Makes the tenant's signing secret, replacing any earlier one at once (interface, Create signing
 * secret): no attempt that starts after this commits is signed with the earlier one. The secret is
 * `whsec_` and base64 of 32 random bytes, all of which is the HMAC key; it is stored sealed and
 * returned here alone.
 */
export async function createSigningSecret(
  tx: Tx,
  tenantId: string,
  sealer: Sealer,
  now: Date,
): Promise<{ secretId: string; secret: string }> {
  const secretId = newId('sec')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealed = sealer.seal(secret, contextOf(tenantId))
  await stopClaims(tx, tenantId)
  await upsertSecret(tx, tenantId, { secretId, sealed, createdAt: now })
  return { secretId, secret }
}

/**
 * Waits for the claims under way at the tenant's webhooks and lets none begin before this commits:
 * claims read the secret under their webhook's lock and start their attempts before they let go.
 *
 * A webhook may be registered while this waits for another's lock. Registering takes the event
 * counter, so under it the list is final, and whoever is registered later reads the new secret. The
 * counter is the last lock of all: a newcomer is waited for only after it has been let go again.
 */
async function stopClaims(tx: Tx, tenantId: string): Promise<void> {
  for (;;) {
    const locked = new Set(await lockActiveWebhooks(tx, tenantId))
    const isFinal = await runInSavepoint(tx, async () => {
      await lockSequence(tx, tenantId)
      const active = await selectActiveWebhooks(tx, tenantId)
      return active.every((webhookId) => locked.has(webhookId))
    })
    if (isFinal) return
  }
}

/** An operator takes minutes to bring a key back: callers that wait by themselves should not. */
const KEY_IS_BACK_SECONDS = 120

/**
 * The secret that signs deliveries from now on, or undefined: they then go out unsigned. Refuses
 * `unavailable` when no configured key opens it.
 */
export async function readSecret(
  db: Db,
  tenantId: string,
  sealer: Sealer,
): Promise<string | undefined> {
  const row = await selectSecret(db, tenantId)
  if (!row) return undefined
  try {
    return openSecret(row.sealed, tenantId, sealer)
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error
    throw new Refusal(
      'unavailable',
      'Your signing secret cannot be read at this moment, so nothing can be signed with it. Tell the operator, or create a new secret.',
      { retryAfterSeconds: KEY_IS_BACK_SECONDS, cause: error },
    )
  }
}

/** A secret as stored, opened. Throws DecryptionError when no configured key opens it. */
export function openSecret(sealed: string, tenantId: string, sealer: Sealer): string {
  return sealer.open(sealed, contextOf(tenantId))
}

/** Which secret is current, without reading it. */
export async function currentSecretId(db: Db, tenantId: string): Promise<string | undefined> {
  return (await selectSecret(db, tenantId))?.secret_id
}

const RESEAL_BATCH = 500

/** Seals the secrets of all tenants again that another key than the current one has sealed. */
export async function resealSecrets(db: Db, sealer: Sealer): Promise<Resealed> {
  const outcome = { resealed: 0, shut: 0, shutKeyIds: new Set<string>() }
  for (let after = ''; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const page = { after, limit: RESEAL_BATCH }
      const rows = await lockSecretsOfOtherKeys(tx, sealer.keyId, page)
      const shutKeyIds: string[] = []
      for (const { tenant_id: tenantId, sealed } of rows) {
        const anew = reseal(sealer, sealed, contextOf(tenantId))
        if (anew instanceof DecryptionError) shutKeyIds.push(anew.keyId)
        else await updateSealedSecret(tx, tenantId, anew)
      }
      return { rows, shutKeyIds }
    })
    addBatch(outcome, batch.rows.length, batch.shutKeyIds)
    const last = batch.rows.at(-1)
    if (!last || batch.rows.length < RESEAL_BATCH) return outcome
    after = last.tenant_id
  }
}
