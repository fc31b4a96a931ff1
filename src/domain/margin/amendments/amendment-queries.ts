import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { exactTime } from '../../../db/sql/as-text.ts'

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

export type PendingRow = Key & {
  boundVersion: number
  ratePpm: number
  at: Date
  nextVersion: number | null
  nextRatePpm: number | null
  askedBy: string | null
  /** `at`, exactly. */
  position: string
}

/** Amendments that wait, of every tenant, the next first. Of a loan that has ended, none does. */
export async function selectPending(
  db: Db,
  { after, limit }: { after?: readonly string[] | undefined; limit: number },
): Promise<PendingRow[]> {
  // @across tenants: the operator has one list of all.
  const rest = after
    ? sql`AND (next_terms_at, facility_id) > (${after[0]}::timestamptz, ${after[1]})`
    : sql``
  const { rows } = await sql<PendingRow>`
    SELECT tenant_id AS "tenantId", facility_id AS "facilityId",
      coalesce(terms_version, 0) AS "boundVersion", rate_ppm AS "ratePpm", next_terms_at AS at,
      next_terms_version AS "nextVersion", next_rate_ppm AS "nextRatePpm",
      next_terms_by AS "askedBy", ${exactTime('next_terms_at')} AS position
    FROM facilities WHERE next_terms_at IS NOT NULL AND state = 'APPROVED' ${rest}
    ORDER BY next_terms_at, facility_id LIMIT ${limit}`.execute(db)
  return rows
}

/** The last event of each that announced this instant; none where it is no longer kept. */
export async function selectNotices(
  db: Db,
  amendments: readonly (Key & { at: Date })[],
): Promise<{ facilityId: string; eventId: string }[]> {
  if (amendments.length === 0) return []
  // @across tenants: of one page of the operator's list. By the body's type: by the column's, the plan
  // would read all events of that type for each facility.
  const { rows } = await sql<{ facilityId: string; eventId: string }>`
    SELECT e.resource_id AS "facilityId", max(e.event_id) AS "eventId"
    FROM unnest(${amendments.map(({ tenantId }) => tenantId)}::text[],
      ${amendments.map(({ facilityId }) => facilityId)}::text[],
      ${amendments.map(({ at }) => at)}::timestamptz[]) AS p (tenant_id, facility_id, at)
    JOIN events e ON e.tenant_id = p.tenant_id AND e.resource_id = p.facility_id
      AND e.body::jsonb ->> 'type' = 'facility.terms_changed'
      AND (e.body::jsonb #>> '{data,effective_at}')::timestamptz = p.at
    GROUP BY e.resource_id`.execute(db)
  return rows
}
