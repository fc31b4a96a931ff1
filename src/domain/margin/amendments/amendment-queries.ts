import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

type Key = { tenantId: string; facilityId: string }

/** Those that lend, are bound to an older version and have no amendment that waits, of a tenant or of
 * all; `left` counts those beyond `limit`. */
export async function selectOlder(
  db: Db,
  { version, tenantId }: { version: number; tenantId: string | undefined },
  limit: number,
): Promise<{ facilities: Key[]; left: number }> {
  // @across tenants: one decision of the lender amends loans of all.
  // @plan reads facilities: all that lend.
  const { rows } = await sql<Key & { total: number }>`
    SELECT tenant_id AS "tenantId", facility_id AS "facilityId", count(*) OVER ()::int AS total
    FROM facilities
    WHERE state = 'APPROVED' AND terms_version < ${version}::integer AND next_terms_at IS NULL
      AND (${tenantId ?? null}::text IS NULL OR tenant_id = ${tenantId ?? null}::text)
    ORDER BY tenant_id, facility_id LIMIT ${limit}`.execute(db)
  const facilities = rows.map(({ tenantId, facilityId }) => ({ tenantId, facilityId }))
  return { facilities, left: Math.max(0, (rows[0]?.total ?? 0) - rows.length) }
}

/** When the last of its warnings and calls ended; undefined: it has had none. */
export async function selectFreeSince(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT greatest(
      (SELECT max(cured_at) FROM margin_warnings
       WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId}),
      (SELECT max(completed_at) FROM margin_calls
       WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId})) AS at`.execute(db)
  return rows[0]?.at ?? undefined
}
