import type { Db } from '../../db/database.ts'
import type { WorkTopic } from './topics.ts'

export type ClockAdvanceRow = { tenant_id: string; request: string; target: Date }

/** Stores an advance unless the tenant has one; whether it did. */
export async function insertAdvance(db: Db, row: ClockAdvanceRow): Promise<boolean> {
  const inserted = await db
    .insertInto('clock_advances')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
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

/** Deletes the advance of this request, if it is still there; whether it was. */
export async function deleteAdvance(db: Db, tenantId: string, request: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('clock_advances')
    .where('tenant_id', '=', tenantId)
    .where('request', '=', request)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}

/** Deletes work that nobody is running. */
export async function deleteWaiting(
  db: Db,
  { tenantId, topic, subjectId }: { tenantId: string; topic: WorkTopic; subjectId: string },
): Promise<void> {
  await db
    .deleteFrom('work')
    .where('tenant_id', '=', tenantId)
    .where('topic', '=', topic)
    .where('subject_id', '=', subjectId)
    .where('lease', 'is', null)
    .execute()
}
