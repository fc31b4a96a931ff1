import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { registerKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { SCOPES } from '../../../src/domain/auth/scopes.ts'
import { createBorrower } from '../../../src/domain/onboarding/borrowers.ts'
import { setResidencyRule } from '../../../src/domain/onboarding/residency.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'

/** Drops the work and the deliveries that earlier measurements have left, which a worker would take up. */
export async function clearLeftovers(db: Db, redisUrl: string): Promise<void> {
  await sql`TRUNCATE work`.execute(db)
  await sql`DELETE FROM deliveries WHERE due_at IS NOT NULL`.execute(db)
  await sql`UPDATE webhook_dues SET due_at = NULL WHERE due_at IS NOT NULL`.execute(db)
  const redis = new Redis(redisUrl)
  await redis.flushall()
  redis.disconnect()
}

export type Signatory = {
  tenantId: string
  keyId: string
  publicKeyPem: string
  privateKeyPem: string
  borrowerId: string
}

/** A tenant with a key of every scope, allowed to onboard in Germany, and one borrower. */
export async function seedTenant(db: Db, keyPair = generateKeyPair()): Promise<Signatory> {
  const now = new Date()
  const { publicKeyPem, privateKeyPem } = keyPair
  return await inTransaction(db, async (tx) => {
    const { id: tenantId } = await createTenant(tx, 'Bench', now)
    const keyId = await registerKey(
      tx,
      tenantId,
      { publicKeyPem, label: 'bench', scopes: SCOPES, expiresAt: undefined },
      { maxActive: 1, now },
    )
    const residence = { country: 'DE', state: undefined }
    const open = { allowed: true, ratePpm: undefined, maxLimitCents: undefined }
    await setResidencyRule(tx, { ...residence, ...open, borrowerType: 'individual' }, now)
    const { id: borrowerId } = await createBorrower(
      tx,
      tenantId,
      {
        type: 'individual',
        kycAttested: true,
        residencyCountry: 'DE',
        residencyState: undefined,
      },
      { now, realNow: now },
    )
    return { tenantId, keyId, publicKeyPem, privateKeyPem, borrowerId }
  })
}
