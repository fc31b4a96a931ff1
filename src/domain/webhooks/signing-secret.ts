import { randomBytes } from 'node:crypto'
import { newId } from '../../core/ids.ts'
import { type Resealed, reseal, type Sealer } from '../../core/sealing.ts'
import { type Db, inTransaction, type Tx } from '../../db/database.ts'
import {
  lockActiveWebhooks,
  lockSecretsOfOtherKeys,
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
  // Claims read the secret under their webhook's lock and start their attempts before they let go.
  await lockActiveWebhooks(tx, tenantId)
  await upsertSecret(tx, tenantId, { secretId, sealed, createdAt: now })
  return { secretId, secret }
}

/** The secret that signs deliveries from now on, or undefined: they then go out unsigned. */
export async function readSecret(
  db: Db,
  tenantId: string,
  sealer: Sealer,
): Promise<string | undefined> {
  const row = await selectSecret(db, tenantId)
  return row && openSecret(row.sealed, tenantId, sealer)
}

/** A secret as stored, opened. Throws when its key is gone. */
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
  const outcome = { resealed: 0, shut: 0 }
  for (let after = ''; ; ) {
    const batch = await inTransaction(db, async (tx) => {
      const page = { after, limit: RESEAL_BATCH }
      const rows = await lockSecretsOfOtherKeys(tx, sealer.keyId, page)
      let resealed = 0
      for (const { tenant_id: tenantId, sealed } of rows) {
        const anew = reseal(sealer, sealed, contextOf(tenantId))
        if (anew === undefined) continue
        await updateSealedSecret(tx, tenantId, anew)
        resealed += 1
      }
      return { rows, resealed }
    })
    outcome.resealed += batch.resealed
    outcome.shut += batch.rows.length - batch.resealed
    const last = batch.rows.at(-1)
    if (!last || batch.rows.length < RESEAL_BATCH) return outcome
    after = last.tenant_id
  }
}
