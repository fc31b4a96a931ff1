import { sql } from 'kysely'
import type { BorrowerRef } from '../../core/personal-text.ts'
import type { Db, Tx } from '../../db/database.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import { execute } from '../../db/transactions/execute.ts'

type NewKey = { tenantId: string; borrowerId: string; sealedKey: string }

const insert = builtOnce(
  (_tx, key: NewKey) => sql`
    INSERT INTO borrower_keys (tenant_id, borrower_id, sealed_key)
    VALUES (${key.tenantId}, ${key.borrowerId}, ${key.sealedKey})
    ON CONFLICT DO NOTHING`,
)

/** Leaves a key that is there. */
export function insertKey(tx: Tx, key: NewKey): void {
  tx.send(insert(key))
}

type KeyRow = { borrower_id: string; sealed_key: string | null }

const ofBorrowers = builtOnce(
  (_db, { tenantId, borrowerIds }: { tenantId: string; borrowerIds: readonly string[] }) =>
    sql<KeyRow>`
      SELECT borrower_id, sealed_key FROM borrower_keys
      WHERE tenant_id = ${tenantId} AND borrower_id = ANY (${borrowerIds}::text[])`,
)

export async function selectKeys(db: Db, tenantId: string, borrowerIds: readonly string[]) {
  return await execute(db, ofBorrowers({ tenantId, borrowerIds }))
}

const ofFacilities = builtOnce(
  (_db, { tenantId, facilityIds }: { tenantId: string; facilityIds: readonly string[] }) =>
    sql<KeyRow & { facility_id: string; has_key: boolean }>`
      SELECT f.facility_id, f.borrower_id, k.sealed_key, k.borrower_id IS NOT NULL AS has_key
      FROM facilities f LEFT JOIN borrower_keys k
        ON k.tenant_id = f.tenant_id AND k.borrower_id = f.borrower_id
      WHERE f.tenant_id = ${tenantId} AND f.facility_id = ANY (${facilityIds}::text[])`,
)

/** One row a facility; its borrower may have no key yet. */
export async function selectKeysOfFacilities(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
) {
  return await execute(db, ofFacilities({ tenantId, facilityIds }))
}

/** Texts that the key has sealed cannot be decrypted any more. Returns false if the key was destroyed before.
 * `now` is real time. */
export async function destroyKey(tx: Tx, borrower: BorrowerRef, now: Date): Promise<boolean> {
  const result = await tx
    .updateTable('borrower_keys')
    .set({ sealed_key: null, erased_at: now })
    .where('tenant_id', '=', borrower.tenantId)
    .where('borrower_id', '=', borrower.borrowerId)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export type KeyPlace = { tenant_id: string; borrower_id: string }

/** Scans the keys of all borrowers; nothing waits for it. */
export async function lockKeysOfOtherStackKeys(
  tx: Tx,
  stackKeyId: string,
  page: { tenantId: TenantScope; after: KeyPlace | undefined; limit: number },
) {
  // @one server: pages go from tenant to tenant.
  tx.limitStatements(0)
  const { after } = page
  const { rows } = await sql<KeyPlace & { sealed_key: string }>`
    SELECT tenant_id, borrower_id, sealed_key FROM borrower_keys
    WHERE ${inScope(page.tenantId)} AND sealed_key IS NOT NULL
      AND split_part(sealed_key, '.', 1) <> ${stackKeyId}
      AND (tenant_id, borrower_id) > (${after?.tenant_id ?? ''}, ${after?.borrower_id ?? ''})
    ORDER BY tenant_id, borrower_id LIMIT ${page.limit} FOR UPDATE`.execute(tx)
  return rows
}

export async function updateSealedKey(
  tx: Tx,
  { tenantId, borrowerId }: BorrowerRef,
  sealedKey: string,
): Promise<void> {
  await tx
    .updateTable('borrower_keys')
    .set({ sealed_key: sealedKey })
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', borrowerId)
    .where('erased_at', 'is', null)
    .execute()
}
