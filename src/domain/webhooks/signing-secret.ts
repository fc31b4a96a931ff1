import { randomBytes } from 'node:crypto'
import { Refusal } from '../../core/errors.ts'
import { newId } from '../../core/ids.ts'
import { DecryptionError, type Resealed, type Sealer } from '../../core/sealing.ts'
import type { Clock } from '../../core/time.ts'
import { type Db, runInSavepoint, type Tx, wakeAfterCommit } from '../../db/database.ts'
import { freeWaiting, lockLanes } from '../deliveries/lane-queries.ts'
import { lockCounter } from '../events/append/append-queries.ts'
import { resealTable } from '../tenants/reseal.ts'
import {
  lockSecretsOfOtherKeys,
  selectActiveWebhooks,
  selectSecret,
  updateSealedSecret,
  upsertSecret,
} from './queries.ts'

const contextOf = (tenantId: string) => `signing-secret/${tenantId}`

/** No attempt that is claimed after the commit uses the earlier secret, and none with the earlier one was
 * claimed after the new one was created: the clock is read once claims have stopped. The HMAC key is all of `whsec_`
 * and base64 of 32 random bytes; it is stored encrypted and returned only here. */
export async function createSigningSecret(
  tx: Tx,
  tenantId: string,
  sealer: Sealer,
  clock: Clock,
): Promise<{ secretId: string; secret: string }> {
  const secretId = newId('sec')
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const sealed = sealer.seal(secret, contextOf(tenantId))
  const webhookIds = await stopClaims(tx, tenantId)
  const now = clock()
  await upsertSecret(tx, tenantId, { secretId, sealed, createdAt: now })
  for (const webhookId of await freeWaiting(tx, tenantId, { webhookIds, now })) {
    wakeAfterCommit(tx, { kind: 'deliveries', tenantId, webhookId })
  }
  return { secretId, secret }
}

/** Claims read the secret under their lane's lock. A webhook may be registered during the wait;
 * registering takes the event counter, so under the counter the list is final. The counter is
 * locked last of all, so it is released before the new lane is waited for. Returns the webhooks whose lanes are
 * locked. */
async function stopClaims(tx: Tx, tenantId: string): Promise<string[]> {
  for (;;) {
    const locked = new Set(await lockLanes(tx, tenantId))
    const isFinal = await runInSavepoint(tx, async () => {
      tx.send(lockCounter({ tenantId }))
      const active = await selectActiveWebhooks(tx, tenantId)
      return active.every((webhookId) => locked.has(webhookId))
    })
    if (isFinal) return [...locked]
  }
}

/** An operator needs minutes to restore a key: clients should not retry sooner. */
const KEY_IS_BACK_SECONDS = 120

/** Undefined: deliveries are unsigned. Refuses `unavailable` when no configured key opens it. */
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
      'Your signing secret cannot be read now, so nothing can be signed. Contact the operator, or create a new secret.',
      { retryAfterSeconds: KEY_IS_BACK_SECONDS, cause: error },
    )
  }
}

export function openSecret(sealed: string, tenantId: string, sealer: Sealer): string {
  return sealer.open(sealed, contextOf(tenantId))
}

export async function currentSecretId(db: Db, tenantId: string): Promise<string | undefined> {
  return (await selectSecret(db, tenantId))?.secret_id
}

export async function resealSecrets(db: Db, sealer: Sealer): Promise<Resealed> {
  return await resealTable<{ tenant_id: string; sealed: string }>(db, sealer, {
    lock: (tx, keyId, { after, ...page }) =>
      lockSecretsOfOtherKeys(tx, keyId, { ...page, after: after?.tenant_id ?? '' }),
    read: ({ tenant_id, sealed }) => ({ sealed, context: contextOf(tenant_id) }),
    update: (tx, { tenant_id }, sealed) => updateSealedSecret(tx, tenant_id, sealed),
  })
}
