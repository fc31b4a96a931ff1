import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { anyOf } from '../../../db/sql/planned-once.ts'

type Warnings = { tenantId: string; facilityIds: readonly string[] }

/** Selects the raises of all warnings of these facilities, oldest first, each with its notices in the order in
 * which they were recorded. */
export async function selectRaisesNoticed(db: Db, { tenantId, facilityIds }: Warnings) {
  return await db
    .selectFrom('margin_raises as r')
    .leftJoin('margin_notices as n', (join) =>
      join.on('n.tenant_id', '=', tenantId).onRef('n.event_id', '=', 'r.event_id'),
    )
    .select(['r.facility_id', 'r.warning_number', 'r.event_id', 'r.raised_at'])
    .select(['n.channel', 'n.at', 'n.reference', 'n.recorded_at'])
    .where('r.tenant_id', '=', tenantId)
    .where('r.facility_id', '=', anyOf(facilityIds))
    .orderBy('r.facility_id')
    .orderBy('r.raised_at')
    .orderBy('r.event_id')
    .orderBy('n.number')
    .execute()
}

/** The raise of this warning that the event reports, with the number of its last reported notice. */
export async function selectRaise(
  db: Db,
  tenantId: string,
  raise: { facilityId: string; warningNumber: number; eventId: string },
): Promise<{ raised_at: Date; last: number } | undefined> {
  const { rows } = await sql<{ raised_at: Date; last: number }>`
    SELECT r.raised_at, (SELECT coalesce(max(n.number), 0) FROM margin_notices n
      WHERE n.tenant_id = ${tenantId} AND n.event_id = r.event_id) AS last
    FROM margin_raises r
    WHERE r.tenant_id = ${tenantId} AND r.event_id = ${raise.eventId}
      AND r.facility_id = ${raise.facilityId} AND r.warning_number = ${raise.warningNumber}
  `.execute(db)
  return rows[0]
}

export async function insertNotice(
  tx: Tx,
  row: Insertable<Tables['margin_notices']>,
): Promise<void> {
  await tx.insertInto('margin_notices').values(row).execute()
}

/** True if the open warning `w` has a raise without any notice, `patienceMs` later by the tenant's clock. Never true
 * during a hold: the tenant may not write to the borrower then. If the facility is joined `by` the raise, PostgreSQL
 * may look up all warnings at the same time. By `w` it looks up each alone, and so only as many as a page needs. */
export const isUnnoticed = (realNow: Date, patienceMs: number, by: 'r' | 'w') => sql`EXISTS (
  SELECT FROM margin_raises r
  JOIN facilities f ON f.tenant_id = ${sql.ref(`${by}.tenant_id`)}
    AND f.facility_id = ${sql.ref(`${by}.facility_id`)}
  JOIN tenants t ON t.tenant_id = r.tenant_id
  WHERE r.tenant_id = w.tenant_id AND r.facility_id = w.facility_id AND r.warning_number = w.number
    AND f.held_since IS NULL
    AND r.raised_at < ${realNow}::timestamptz + t.clock_offset_ms * interval '1 millisecond'
      - ${patienceMs}::double precision * interval '1 millisecond'
    AND NOT EXISTS (SELECT FROM margin_notices n
      WHERE n.tenant_id = r.tenant_id AND n.event_id = r.event_id))`

export async function countUnnoticed(db: Db, realNow: Date, patienceMs: number): Promise<number> {
  // @across tenants: a measure of all.
  // @plan reads margin_warnings, margin_raises, facilities, margin_notices, tenants: on a crash day
  // most warnings are open ones.
  const { rows } = await sql<{ warnings: number }>`
    SELECT count(*)::int AS warnings FROM margin_warnings w
    WHERE w.status = 'OPEN' AND ${isUnnoticed(realNow, patienceMs, 'r')}`.execute(db)
  return rows[0]?.warnings ?? 0
}
