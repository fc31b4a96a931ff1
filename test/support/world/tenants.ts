import { SCOPES } from '../../../src/core/scopes.ts'
import { type Db, inTransaction } from '../../../src/db/database.ts'
import { registerKey } from '../../../src/domain/auth/keys.ts'
import { generateKeyPair } from '../../../src/domain/auth/public-key.ts'
import { createBorrower } from '../../../src/domain/onboarding/borrowers.ts'
import { setResidencyRule } from '../../../src/domain/onboarding/residency.ts'
import { createTenant } from '../../../src/domain/tenants/tenants.ts'

export type Signatory = {
  tenantId: string
  keyId: string
  publicKeyPem: string
  privateKeyPem: string
}

/** A tenant with a key of every scope. */
export async function addSignatory(
  db: Db,
  name: string,
  keyPair = generateKeyPair(),
): Promise<Signatory> {
  const { publicKeyPem, privateKeyPem } = keyPair
  const now = new Date()
  return await inTransaction(db, async (tx) => {
    const { id: tenantId } = await createTenant(tx, name, now)
    const key = { publicKeyPem, label: 'run', scopes: SCOPES, expiresAt: undefined }
    const keyId = await registerKey(tx, tenantId, key, { maxActive: 1, now })
    return { tenantId, keyId, publicKeyPem, privateKeyPem }
  })
}

/** Borrowers of a tenant, who reside in Germany, where that is allowed from now on. */
export async function addBorrowers(db: Db, tenantId: string, count: number): Promise<string[]> {
  const now = new Date()
  const individual = {
    type: 'individual',
    residencyCountry: 'DE',
    residencyState: undefined,
  } as const
  const open = { allowed: true, ratePpm: undefined, maxLimitCents: undefined }
  const rule = { country: 'DE', state: undefined, borrowerType: 'individual', ...open } as const
  return await inTransaction(db, async (tx) => {
    await setResidencyRule(tx, rule, now)
    const ids: string[] = []
    while (ids.length < count) {
      const borrower = { ...individual, kycAttested: true }
      ids.push((await createBorrower(tx, tenantId, borrower, { now, realNow: now })).id)
    }
    return ids
  })
}
