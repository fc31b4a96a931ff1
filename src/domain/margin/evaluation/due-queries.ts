import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

export async function isOverdue(
  db: Db,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('margin_warnings')
    .select('number')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'OPEN')
    .where(sql`coalesce(window_deadline, cure_deadline)`, '<', now)
    .executeTakeFirst()
  return row !== undefined
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
