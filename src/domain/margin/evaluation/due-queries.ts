import { sql } from 'kysely'
import { readOnce } from '../../../db/built-once.ts'
import type { Db } from '../../../db/database.ts'

const selectOverdue = readOnce(
  (db, { tenantId, facilityId, now }: { tenantId: string; facilityId: string; now: Date }) =>
    db
      .selectFrom('margin_warnings')
      .select('number')
      .where('tenant_id', '=', tenantId)
      .where('facility_id', '=', facilityId)
      .where('status', '=', sql.lit('OPEN' as const))
      .where(sql<Date>`coalesce(window_deadline, cure_deadline)`, '<', now),
)

export async function isOverdue(
  db: Db,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<boolean> {
  return (await selectOverdue(db, { tenantId, facilityId, now })).length > 0
}

export async function selectIndebted(db: Db, tenantId: string, after: string, limit: number) {
  const rows = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'APPROVED')
    .where('facility_id', '>', after)
    .where('principal_cents', '>', 0n)
    .orderBy('facility_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.facility_id)
}
