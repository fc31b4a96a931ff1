import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { inScope, scopeOf, type TenantScope, tenantOf } from '../../../db/tenant-scope.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'

export async function selectHeartbeat(db: Db): Promise<Date | undefined> {
  const row = await db.selectFrom('worker_heartbeat').select('beaten_at').executeTakeFirst()
  return row?.beaten_at
}

/** When a worker could last serve the tenant: not while its node is away. */
export async function selectLastBeat(db: Db, tenantId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('worker_heartbeat as h')
    .leftJoin('absent_tenants as a', (join) => join.on('a.tenant_id', '=', tenantId))
    .select(sql<Date>`least(h.beaten_at, a.since)`.as('beaten_at'))
    .executeTakeFirst()
  return row?.beaten_at
}

export async function upsertHeartbeat(db: Db, realNow: Date): Promise<void> {
  await sql`
    INSERT INTO worker_heartbeat (beaten_at) VALUES (${realNow})
    ON CONFLICT (only_row) DO UPDATE
    SET beaten_at = greatest(worker_heartbeat.beaten_at, excluded.beaten_at)`.execute(db)
}

type WarnedFacility = { tenantId: string; facilityId: string }

/** Of a tenant or of all. */
type Page = { tenantId: TenantScope; limit: number }

/** Not credited until `realNow`, but for those waiting for prices, whose time counts anyway. */
export async function lockDeadlinesToExtend(
  tx: Tx,
  realNow: Date,
  { tenantId, limit }: Page,
): Promise<WarnedFacility[]> {
  // @one server: the deadlines of all tenants that are warned.
  const rows = await execute(
    tx,
    unprepared(sql<WarnedFacility>`
    SELECT f.tenant_id AS "tenantId", f.facility_id AS "facilityId"
    FROM (
      SELECT tenant_id, facility_id FROM margin_warnings w
      WHERE ${inScope(tenantId, 'w.tenant_id')}
        AND status = 'OPEN' AND unevaluated_since IS NULL AND outages_until < ${realNow}
      ORDER BY tenant_id, facility_id LIMIT ${limit}
    ) w
    JOIN facilities f ON f.tenant_id = ${tenantOf(tenantId, 'w.tenant_id')}
      AND f.facility_id = w.facility_id
    ORDER BY f.tenant_id, f.facility_id
    FOR NO KEY UPDATE OF f`),
  )
  return rows
}

export async function moveDeadlines(
  tx: Tx,
  facilities: readonly WarnedFacility[],
  outage: { from: Date; until: Date },
): Promise<void> {
  const column = (name: keyof WarnedFacility) => facilities.map((facility) => facility[name])
  // In UTC, so that it does not depend on the session: sharded tables take no other.
  const later = (deadline: RawBuilder<unknown>) =>
    sql`(${deadline} AT TIME ZONE 'UTC' + moved.by) AT TIME ZONE 'UTC'`
  // @one server: of several tenants.
  await sql`
    UPDATE margin_warnings w
    SET cure_deadline = ${later(sql`w.cure_deadline`)},
        window_deadline = ${later(sql`w.window_deadline`)}, outages_until = ${outage.until},
        extended_seconds = w.extended_seconds + ceil(extract(epoch FROM moved.by))
    FROM unnest(${column('tenantId')}::text[], ${column('facilityId')}::text[])
           AS f (tenant_id, facility_id)
    JOIN margin_warnings o ON o.tenant_id = f.tenant_id AND o.facility_id = f.facility_id
      AND o.status = 'OPEN',
    LATERAL (SELECT ${outage.until}::timestamptz - greatest(${outage.from}, o.outages_until) AS by) moved
    WHERE w.tenant_id = o.tenant_id AND w.facility_id = o.facility_id AND w.number = o.number
      AND w.outages_until < ${outage.until} AND ${inScope(scopeOf(facilities), 'w.tenant_id')}
  `.execute(tx)
}

/** Received beyond a claim, and not decided: it holds like a report. */
const isSuspended = sql`r.suspended_units > 0 AND r.suspense_end IS NULL`

/** Open warnings held by a report that is not credited until `realNow`. */
export async function lockHoldsToExtend(
  tx: Tx,
  realNow: Date,
  { tenantId, limit }: Page,
): Promise<WarnedFacility[]> {
  // @one server: the reports of all tenants.
  const rows = await execute(
    tx,
    unprepared(sql<WarnedFacility>`
    SELECT f.tenant_id AS "tenantId", f.facility_id AS "facilityId"
    FROM facilities f
    WHERE ${inScope(tenantId, 'f.tenant_id')}
      AND (f.tenant_id, f.facility_id) IN (
      -- Starts from the reports: unanswered ones are few beside open warnings.
      SELECT r.tenant_id, r.facility_id FROM repayments r
      CROSS JOIN LATERAL (
        SELECT FROM margin_warnings w WHERE w.tenant_id = ${tenantOf(tenantId, 'r.tenant_id')}
          AND w.facility_id = r.facility_id
          AND (w.number = r.margin_warning_number OR r.status = 'APPLIED')
          AND w.status = 'OPEN' OFFSET 0) open
      WHERE ${inScope(tenantId, 'r.tenant_id')}
        AND (r.status = 'REPORTED' AND r.margin_warning_number IS NOT NULL OR ${isSuspended})
        AND (r.outages_until IS NULL OR r.outages_until < ${realNow}))
    ORDER BY f.tenant_id, f.facility_id LIMIT ${limit}
    FOR NO KEY UPDATE OF f`),
  )
  return rows
}

export async function moveHolds(
  tx: Tx,
  facilities: readonly WarnedFacility[],
  outage: { from: Date; until: Date },
): Promise<void> {
  const column = (name: keyof WarnedFacility) => facilities.map((facility) => facility[name])
  // @one server: of several tenants.
  // A report ahead of real time comes from a clock set ahead: ignore its instant.
  await sql`
    UPDATE repayments r
    SET outages_until = ${outage.until}, hold_lost_ms = r.hold_lost_ms + greatest(0, round(1000 *
      extract(epoch FROM ${outage.until}::timestamptz - greatest(${outage.from}, r.outages_until,
        CASE WHEN r.reported_at <= ${outage.until} THEN r.reported_at END,
        CASE WHEN r.applied_at <= ${outage.until} THEN r.applied_at END))))
    FROM unnest(${column('tenantId')}::text[], ${column('facilityId')}::text[])
           AS f (tenant_id, facility_id)
    JOIN margin_warnings w ON w.tenant_id = f.tenant_id AND w.facility_id = f.facility_id
      AND w.status = 'OPEN'
    WHERE r.tenant_id = f.tenant_id AND r.facility_id = f.facility_id
      AND (r.margin_warning_number = w.number AND r.status = 'REPORTED' OR ${isSuspended})
      AND (r.outages_until IS NULL OR r.outages_until < ${outage.until})
      AND ${inScope(scopeOf(facilities), 'r.tenant_id')}
  `.execute(tx)
}
