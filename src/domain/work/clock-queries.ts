import type { Db, Tx } from '../../db/database.ts'
import type { WorkTopic } from './topics.ts'

export type ClockAdvanceRow = {
  tenant_id: string
  request: string
  target: Date
  held_until: Date | null
}

/** False when the tenant has one. The same request's advance is held longer. */
export async function insertAdvance(tx: Tx, row: ClockAdvanceRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('clock_advances')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .returning('tenant_id')
    .executeTakeFirst()
  if (inserted) return true
  await tx
    .updateTable('clock_advances')
    .set({ held_until: row.held_until })
    .where('tenant_id', '=', row.tenant_id)
    .where('request', '=', row.request)
    .execute()
  return false
}

export async function releaseAdvance(tx: Tx, tenantId: string, request: string): Promise<void> {
  await tx
    .updateTable('clock_advances')
    .set({ held_until: null })
    .where('tenant_id', '=', tenantId)
    .where('request', '=', request)
    .execute()
}

export async function selectAdvance(
  db: Db,
  tenantId: string,
): Promise<ClockAdvanceRow | undefined> {
  return await db
    .selectFrom('clock_advances')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
}

export async function deleteAdvance(tx: Tx, tenantId: string, request: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('clock_advances')
    .where('tenant_id', '=', tenantId)
    .where('request', '=', request)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

export async function deleteWaiting(
  tx: Tx,
  { tenantId, topic, subjectId }: { tenantId: string; topic: WorkTopic; subjectId: string },
): Promise<void> {
  await tx
    .deleteFrom('work')
    .where('tenant_id', '=', tenantId)
    .where('topic', '=', topic)
    .where('subject_id', '=', subjectId)
    .where('lease', 'is', null)
    .execute()
}
