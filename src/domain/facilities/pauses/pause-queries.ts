import { sql } from 'kysely'
import { newId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { anyOf } from '../../../db/sql/planned-once.ts'
import { scopeOf, tenantOf } from '../../../db/tenant-scope.ts'

/** When a worker could last serve the tenant, by real time: not while its node is away. */
export async function selectLastBeat(db: Db, tenantId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('worker_heartbeat as h')
    .leftJoin('absent_tenants as a', (join) => join.on('a.tenant_id', '=', tenantId))
    .select(sql<Date>`least(h.beaten_at, a.since)`.as('beaten_at'))
    .executeTakeFirst()
  return row?.beaten_at
}

export async function selectPauses(db: Db, tenantId: string, facilityIds: readonly string[]) {
  return await db
    .selectFrom('facility_pauses')
    .select(['facility_id', 'kind', 'started_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .execute()
}

export type OutageRow = {
  tenantId: string
  facilityId: string
  from: Date
  until: Date | undefined
}

/** The caller holds the facilities' locks. One with the same beginning lasts until the later end. */
export async function insertOutages(tx: Tx, outages: readonly OutageRow[]): Promise<void> {
  if (outages.length === 0) return
  const column = <T>(pick: (outage: OutageRow) => T) => outages.map(pick)
  const tenantId = tenantOf(scopeOf(outages), 'new.tenant_id')
  // @one server: of several tenants.
  await sql`
    INSERT INTO facility_pauses (tenant_id, facility_id, pause_id, kind, started_at, ended_at)
    SELECT ${tenantId}, facility_id, pause_id, 'outage', started_at, ended_at FROM unnest(
      ${column((one) => one.tenantId)}::text[], ${column((one) => one.facilityId)}::text[],
      ${column(() => newId('pau'))}::text[], ${column((one) => one.from)}::timestamptz[],
      ${column((one) => one.until ?? null)}::timestamptz[])
      AS new (tenant_id, facility_id, pause_id, started_at, ended_at)
    ON CONFLICT (tenant_id, facility_id, started_at) WHERE kind = 'outage' DO UPDATE
    SET ended_at = greatest(facility_pauses.ended_at, excluded.ended_at)
    WHERE facility_pauses.ended_at IS NOT NULL`.execute(tx)
}

/** Ends the running outage of each. */
export async function endOutages(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
  now: Date,
): Promise<void> {
  if (facilityIds.length === 0) return
  await tx
    .updateTable('facility_pauses')
    .set({ ended_at: now })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .where('kind', '=', 'outage')
    .where('ended_at', 'is', null)
    .execute()
}
