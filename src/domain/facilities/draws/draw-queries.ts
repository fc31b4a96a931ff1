import { type Insertable, sql, type Updateable } from 'kysely'
import type { SealedText } from '../../../core/sealing.ts'
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

/** Also where the money came back. */
export async function hasCompletedDraw(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  return (await selectLatestCompletedDraw(db, tenantId, facilityId)) !== undefined
}

/** To a destination from which nothing has come back, if there is one. */
export async function selectLatestCompletedDraw(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('draws as d')
    .select(['asset', 'destination'])
    .select(isReturnedTo(tenantId, facilityId).as('is_returned'))
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', 'in', ['COMPLETED', 'RETURNED'])
    .orderBy('is_returned')
    .orderBy('completed_at', 'desc')
    .orderBy('draw_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const isReturnedTo = (tenantId: string, facilityId: string) => sql<boolean>`EXISTS (
  SELECT FROM draws r WHERE r.tenant_id = ${tenantId} AND r.facility_id = ${facilityId}
    AND r.status = 'RETURNED' AND r.destination = d.destination)`

/** Returns whether a draw of the facility to this destination has come back. */
export async function hasReturnedDraw(
  tx: Tx,
  tenantId: string,
  to: { facility_id: string; destination: SealedText },
): Promise<boolean> {
  const row = await tx
    .selectFrom('draws')
    .select('draw_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', to.facility_id)
    .where('status', '=', 'RETURNED')
    .where('destination', '=', to.destination)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateReturnedDraw(
  tx: Tx,
  tenantId: string,
  drawId: string,
  returned: { units: bigint; code: string; at: Date },
): Promise<void> {
  const result = await tx
    .updateTable('draws')
    .set({
      status: 'RETURNED',
      returned_units: returned.units,
      return_code: returned.code,
      returned_at: returned.at,
    })
    .where('tenant_id', '=', tenantId)
    .where('draw_id', '=', drawId)
    .where('status', '=', 'COMPLETED')
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) throw new Error(`draw ${drawId} changed under its lock`)
}
