import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'

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

export async function deleteCallbacksBefore(
  db: Db,
  before: Date,
  { tenantId, limit }: { tenantId: TenantScope; limit: number },
): Promise<number> {
  // @one server: deletes by age, whichever tenants have them.
  // @plan reads provider_callbacks: for one tenant, the old rows of others on its node.
  const result = await sql`
    DELETE FROM provider_callbacks WHERE ${inScope(tenantId)} AND ctid = ANY (ARRAY(
      SELECT ctid FROM provider_callbacks
      WHERE received_at < ${before} AND ${inScope(tenantId)} ORDER BY received_at LIMIT ${limit}
    ))`.execute(db)
  return Number(result.numAffectedRows ?? 0n)
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
