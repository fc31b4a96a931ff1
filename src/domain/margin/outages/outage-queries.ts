import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { inScope, type TenantScope, tenantOf } from '../../../db/tenant-scope.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'

export async function selectHeartbeat(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('worker_heartbeat').select('beaten_at').executeTakeFirst()
  return row?.beaten_at
}

export async function upsertHeartbeat(db: Db, realNow: Date): Promise<void> {
  await sql`
    INSERT INTO worker_heartbeat (beaten_at) VALUES (${realNow})
    ON CONFLICT (only_row) DO UPDATE
    SET beaten_at = greatest(worker_heartbeat.beaten_at, excluded.beaten_at)`.execute(db)
}

export type WarnedFacility = { tenantId: string; facilityId: string; clockOffsetMs: bigint }

/** In the order of tenant and facility, after one; of a tenant or of all. */
export type WarnedPage = {
  tenantId: TenantScope
  after: Pick<WarnedFacility, 'tenantId' | 'facilityId'>
  limit: number
}

export async function lockWarned(
  tx: Tx,
  { tenantId, after, limit }: WarnedPage,
): Promise<WarnedFacility[]> {
  // @one server: the warnings of all tenants.
  return await execute(
    tx,
    unprepared(sql<WarnedFacility>`
    SELECT f.tenant_id AS "tenantId", f.facility_id AS "facilityId",
      w.clock_offset_ms AS "clockOffsetMs"
    FROM (
      SELECT w.tenant_id, w.facility_id, t.clock_offset_ms FROM margin_warnings w
      JOIN tenants t ON t.tenant_id = ${tenantOf(tenantId, 'w.tenant_id')}
      WHERE ${inScope(tenantId, 'w.tenant_id')} AND w.status = 'OPEN'
        AND (w.tenant_id, w.facility_id) > (${after.tenantId}, ${after.facilityId})
      ORDER BY w.tenant_id, w.facility_id LIMIT ${limit}
    ) w
    JOIN facilities f ON f.tenant_id = ${tenantOf(tenantId, 'w.tenant_id')}
      AND f.facility_id = w.facility_id
    ORDER BY f.tenant_id, f.facility_id
    FOR NO KEY UPDATE OF f`),
  )
}
