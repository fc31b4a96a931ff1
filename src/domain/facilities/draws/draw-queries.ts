import type { Insertable, Updateable } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'

export async function insertDraw(tx: Tx, row: Insertable<Tables['draws']>) {
  return await tx.insertInto('draws').values(row).returningAll().executeTakeFirstOrThrow()
}

export async function selectDraw(db: Db, tenantId: string, drawId: string) {
  return await db
    .selectFrom('draws')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('draw_id', '=', drawId)
    .executeTakeFirst()
}

export async function lockDraw(tx: Tx, tenantId: string, drawId: string) {
  return await tx
    .selectFrom('draws')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('draw_id', '=', drawId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

export async function updatePendingDraw(
  tx: Tx,
  tenantId: string,
  drawId: string,
  change: Updateable<Tables['draws']>,
): Promise<void> {
  const result = await tx
    .updateTable('draws')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('draw_id', '=', drawId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) throw new Error(`draw ${drawId} changed under its lock`)
}

export async function selectDraws(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: string | undefined; limit: number },
) {
  let query = db
    .selectFrom('draws')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('draw_id', '<', page.before)
  return await query.orderBy('draw_id', 'desc').limit(page.limit).execute()
}

export async function selectLatestCompletedDraw(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('draws')
    .select(['asset', 'destination'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'COMPLETED')
    .orderBy('completed_at', 'desc')
    .orderBy('draw_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
