import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { CuredBy } from '../../db/schema/margin.ts'
import { anyOf, ofUnseenLength } from '../../db/sql/planned-once.ts'
import { builtOnce } from '../../db/transactions/built-once.ts'
import type { Tier } from './policy.ts'

/** Of facilities of a tenant. */
export type FacilityIds = { tenantId: string; ids: readonly string[] }

export const selectOpenWarnings = builtOnce((db, { tenantId, ids }: FacilityIds) =>
  db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(ids))
    .where('status', '=', sql.lit('OPEN' as const)),
)

export async function countOpenWarnings(db: Db): Promise<{ tier: Tier; count: number }[]> {
  // @across tenants: a measure of all.
  // @plan reads margin_warnings: on a crash day most warnings are open ones.
  const { rows } = await sql<{ tier: Tier; count: number }>`
    SELECT tier, count(*)::int AS count FROM margin_warnings WHERE status = 'OPEN'
    GROUP BY tier`.execute(db)
  return rows
}

/** The last numbers and, where a price cured the last ended warning, when, and its deadline. */
export const selectHistory = builtOnce(
  (_db, { tenantId, ids }: FacilityIds) => sql<{
    facility_id: string
    last_number: number
    last_call_number: number
    cured_at: Date | null
    cure_deadline: Date | null
  }>`
    SELECT f.facility_id,
      (SELECT coalesce(max(w.number), 0) FROM margin_warnings w
       WHERE w.tenant_id = ${tenantId} AND w.facility_id = f.facility_id) AS last_number,
      (SELECT coalesce(max(m.number), 0) FROM margin_calls m
       WHERE m.tenant_id = ${tenantId} AND m.facility_id = f.facility_id) AS last_call_number,
      c.cured_at, c.cure_deadline
    FROM unnest(${ofUnseenLength(ids, 'text')}) AS f (facility_id)
    LEFT JOIN LATERAL (
      SELECT w.cured_at, w.cured_by, w.cure_deadline FROM margin_warnings w
      WHERE w.tenant_id = ${tenantId} AND w.facility_id = f.facility_id AND w.status <> 'OPEN'
      ORDER BY w.number DESC LIMIT 1
    ) c ON c.cured_by = 'price'`,
)

/** Reported for the open warning, and what is in suspense, whatever it was reported for. */
export async function selectReportedCures(db: Db, tenantId: string, ids: readonly string[]) {
  const columns = [
    ...(['repayment_id', 'facility_id', 'margin_warning_number', 'asset'] as const),
    ...(['delivered_units', 'suspended_units', 'status', 'split_from'] as const),
    ...(['requested_at', 'reported_at', 'applied_at'] as const),
  ] as const
  return await db
    .selectFrom('repayments')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(ids))
    .where('status', '=', 'REPORTED')
    .where('margin_warning_number', 'is not', null)
    .unionAll(
      db
        .selectFrom('repayments')
        .select(columns)
        .where('tenant_id', '=', tenantId)
        .where('facility_id', '=', anyOf(ids))
        // Written out: the plan has the partial index.
        .where(sql<boolean>`suspended_units > 0 AND suspense_end IS NULL`),
    )
    .execute()
}

/** Deadlines, and by how much pauses have moved them. */
export type Deadlines = {
  cureDeadline: Date
  /** By the windows of its tiers; `cureDeadline` unless that was cut short as critical. */
  windowDeadline: Date
  extendedSeconds: number
}

/** The deadlines are those of an instant: as if the pauses ended then. */
export type StoredWarning = Deadlines & {
  number: number
  tier: Tier
  raisedAt: Date
  ltvAtRaise: string
  /** In breach by the custodian's positions too. */
  upheld: boolean
  /** The stored ones: pauses from `countedFrom` on are still to move the window, and those from
   * `cutAt` on the deadline that was cut short as critical. */
  stored: Omit<Deadlines, 'cureDeadline'> & { countedFrom: Date; cutAt: Date | undefined }
}

/** For an ended warning they stay as they were at its end. */
function toStoredDeadlines(warning: ChangedWarning) {
  const { end, stored } = warning
  const { windowDeadline, extendedSeconds } = end ? warning : stored
  const cureDeadline = end ? warning.cureDeadline : (stored.cutAt ?? windowDeadline)
  // A window of its own is stored only where the published deadline was cut short.
  const window = stored.cutAt ? windowDeadline : null
  return { cureDeadline, window, extendedSeconds, countedFrom: stored.countedFrom }
}

/** How a warning ended, and what would have cured it then. */
export type WarningEnd = { at: Date; amountCents: bigint; collateralCents: bigint } & (
  | { status: 'CURED'; by: CuredBy }
  | { status: 'ESCALATED' }
)

export type ChangedWarning = StoredWarning & { end?: WarningEnd }

type Of<Row> = Row & { facilityId: string }

export async function insertWarnings(
  tx: Tx,
  tenantId: string,
  warnings: readonly Of<StoredWarning>[],
): Promise<void> {
  if (warnings.length === 0) return
  const column = <T>(pick: (warning: Of<StoredWarning>) => T) => warnings.map(pick)
  const of = warnings.map(toStoredDeadlines)
  await sql`
    INSERT INTO margin_warnings (tenant_id, status, facility_id, number, tier, raised_at, ltv_at_raise,
                                 cure_deadline, window_deadline, extended_seconds, counted_from,
                                 upheld)
    SELECT ${tenantId}, 'OPEN', * FROM unnest(
      ${column((w) => w.facilityId)}::text[], ${column((w) => w.number)}::int[],
      ${column((w) => w.tier)}::smallint[], ${column((w) => w.raisedAt)}::timestamptz[],
      ${column((w) => w.ltvAtRaise)}::text[], ${of.map((w) => w.cureDeadline)}::timestamptz[],
      ${of.map((w) => w.window)}::timestamptz[],
      ${of.map((w) => w.extendedSeconds)}::int[], ${of.map((w) => w.countedFrom)}::timestamptz[],
      ${column((w) => w.upheld)}::boolean[])
  `.execute(tx)
}

export async function updateOpenWarnings(
  tx: Tx,
  tenantId: string,
  warnings: readonly Of<ChangedWarning>[],
): Promise<void> {
  if (warnings.length === 0) return
  const column = <T>(pick: (warning: Of<ChangedWarning>) => T) => warnings.map(pick)
  const of = warnings.map(toStoredDeadlines)
  const end = <T>(pick: (end: WarningEnd) => T) =>
    warnings.map((warning) => (warning.end ? pick(warning.end) : null))
  const { numAffectedRows } = await sql`
    UPDATE margin_warnings w
    SET tier = new.tier, cure_deadline = new.cure_deadline, window_deadline = new.window_deadline,
        counted_from = new.counted_from, extended_seconds = new.extended_seconds, upheld = new.upheld, status = coalesce(new.status, 'OPEN'),
        cured_at = CASE new.status WHEN 'CURED' THEN new.ended_at END,
        escalated_at = CASE new.status WHEN 'ESCALATED' THEN new.ended_at END,
        cured_by = new.cured_by, cure_amount_cents = new.amount, cure_collateral_cents = new.collateral
    FROM unnest(
      ${column((w) => w.facilityId)}::text[], ${column((w) => w.number)}::int[],
      ${column((w) => w.tier)}::smallint[], ${of.map((w) => w.cureDeadline)}::timestamptz[],
      ${of.map((w) => w.window)}::timestamptz[], ${of.map((w) => w.countedFrom)}::timestamptz[],
      ${of.map((w) => w.extendedSeconds)}::int[], ${column((w) => w.upheld)}::boolean[],
      ${end((e) => e.status)}::text[], ${end((e) => e.at)}::timestamptz[],
      ${end((e) => (e.status === 'CURED' ? e.by : null))}::text[],
      ${end((e) => e.amountCents)}::numeric[], ${end((e) => e.collateralCents)}::numeric[])
      AS new (facility_id, number, tier, cure_deadline, window_deadline, counted_from,
              extended_seconds, upheld, status, ended_at, cured_by, amount, collateral)
    WHERE w.tenant_id = ${tenantId} AND w.facility_id = new.facility_id AND w.number = new.number
      AND w.status = 'OPEN'
  `.execute(tx)
  if (numAffectedRows !== BigInt(warnings.length)) {
    throw new Error(`warnings of ${tenantId} changed under their facilities' locks`)
  }
}

/** The early line of each facility, and whether an event reports it. The caller holds their locks. */
export async function updateNoticed(
  tx: Tx,
  tenantId: string,
  noticed: readonly Of<{ ltvPpm: bigint; isReported: boolean }>[],
): Promise<void> {
  if (noticed.length === 0) return
  await sql`
    UPDATE facilities f
    SET noticed_ltv_ppm = new.ppm, notices = f.notices + new.is_reported::int
    FROM unnest(
      ${noticed.map(({ facilityId }) => facilityId)}::text[],
      ${noticed.map(({ ltvPpm }) => ltvPpm)}::int[],
      ${noticed.map(({ isReported }) => isReported)}::boolean[])
      AS new (facility_id, ppm, is_reported)
    WHERE f.tenant_id = ${tenantId} AND f.facility_id = new.facility_id
  `.execute(tx)
}

export async function selectWarning(db: Db, tenantId: string, facilityId: string, number: number) {
  return await db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('number', '=', number)
    .executeTakeFirst()
}

export async function selectWarnings(
  db: Db,
  tenantId: string,
  facilityId: string,
  page: { before: number | undefined; limit: number },
) {
  let query = db
    .selectFrom('margin_warnings')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
  if (page.before !== undefined) query = query.where('number', '<', page.before)
  return await query.orderBy('number', 'desc').limit(page.limit).execute()
}
