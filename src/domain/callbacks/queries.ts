import type { Insertable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'

export async function insertCallback(
  tx: Tx,
  row: Insertable<Tables['provider_callbacks']>,
): Promise<boolean> {
  const result = await tx
    .insertInto('provider_callbacks')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n
}

export async function selectBorrowerOfCheck(
  db: Db,
  tenantId: string,
  checkId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('compliance_checks')
    .select('borrower_id')
    .where('tenant_id', '=', tenantId)
    .where('check_id', '=', checkId)
    .executeTakeFirst()
  return row?.borrower_id
}

export async function selectPendingDrawIds(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('draws')
    .select('draw_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'PENDING')
    .execute()
  return rows.map((row) => row.draw_id)
}
