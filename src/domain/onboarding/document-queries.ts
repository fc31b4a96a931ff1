import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

export async function selectDocuments(db: Db, tenantId: string) {
  return await db
    .selectFrom('documents')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('contract_type')
    .orderBy('contract_version')
    .execute()
}

/** Locks the tenant's row, so that two publications cannot overtake each other. */
export async function lockDocuments(tx: Tx, tenantId: string) {
  await tx
    .selectFrom('tenants')
    .select('tenant_id')
    .where('tenant_id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return await selectDocuments(tx, tenantId)
}

export async function insertDocument(tx: Tx, row: Insertable<Tables['documents']>): Promise<void> {
  await tx.insertInto('documents').values(row).execute()
}

export async function updateDocumentSuperseded(
  tx: Tx,
  tenantId: string,
  contractType: string,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('documents')
    .set({ superseded_at: at })
    .where('tenant_id', '=', tenantId)
    .where('contract_type', '=', contractType)
    .where('superseded_at', 'is', null)
    .execute()
}

export async function updateDocumentRetired(
  tx: Tx,
  tenantId: string,
  { contractType, contractVersion }: { contractType: string; contractVersion: string },
  at: Date,
): Promise<boolean> {
  const result = await tx
    .updateTable('documents')
    .set({ retired_at: at })
    .where('tenant_id', '=', tenantId)
    .where('contract_type', '=', contractType)
    .where('contract_version', '=', contractVersion)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
