import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FacilityState, FacilityRow as FacilityTable } from '../../db/schema/facilities.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { anyOf } from '../../db/sql/planned-once.ts'

export type FacilityRow = Selectable<FacilityTable>

export type ActedRow = FacilityRow & { acted_at: Date }

export async function selectFacility(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .executeTakeFirst()
}

/** And notes an act at `now`, or at the last act or decision if that was later, by the clock of another
 * process: the row has the instant. */
export async function lockFacilityRow(tx: Tx, tenantId: string, facilityId: string, now: Date) {
  const [row] = await noteActs(tx, tenantId, [facilityId], now)
  return row
}

/** Without the rows of others' tenants and unknown ids; by id. */
export async function noteActs(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
  now: Date,
): Promise<ActedRow[]> {
  const rows = await tx
    .updateTable('facilities')
    .set({
      acted_at: sql<Date>`greatest(acted_at, created_at, decisioned_at, ${now}::timestamptz)`,
    })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .returningAll()
    .execute()
  return rows
    .map((row) => ({ ...row, acted_at: row.acted_at ?? now }))
    .sort((a, b) => (a.facility_id < b.facility_id ? -1 : 1))
}

export async function lockApprovedRows(tx: Tx, tenantId: string, facilityIds: readonly string[]) {
  return await tx
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .where('state', '=', 'APPROVED')
    .orderBy('facility_id')
    .forNoKeyUpdate()
    .execute()
}

/** Those whose interest is accrued least, up to the instant; others' locks are left out. */
export async function lockAccruing(tx: Tx, tenantId: string, before: Date, limit: number) {
  return await tx
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`principal_cents > 0`)
    .where('accrued_at', '<', before)
    .orderBy('accrued_at')
    .limit(limit)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
}

export type AccruedRow = {
  facilityId: string
  interestNumerator: bigint
  interestBookedCents: bigint
}

/** No change that is shown: `updated_at` stays. */
export async function updateAccrued(
  tx: Tx,
  tenantId: string,
  rows: readonly AccruedRow[],
  accruedAt: Date,
): Promise<void> {
  await sql`
    UPDATE facilities f SET interest_numerator = a.numerator, interest_booked_cents = a.booked,
                            accrued_at = ${accruedAt}
    FROM unnest(
      ${rows.map((row) => row.facilityId)}::text[],
      ${rows.map((row) => row.interestNumerator)}::numeric[],
      ${rows.map((row) => row.interestBookedCents)}::numeric[]
    ) AS a (facility_id, numerator, booked)
    WHERE f.tenant_id = ${tenantId} AND f.facility_id = a.facility_id`.execute(tx)
}

export async function hasAccruing(db: Db, tenantId: string, before: Date): Promise<boolean> {
  const row = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`principal_cents > 0`)
    .where('accrued_at', '<', before)
    .orderBy('accrued_at')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function selectApprovedPage(
  db: Db,
  tenantId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '>', after)
    .where('state', '=', 'APPROVED')
    .orderBy('facility_id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.facility_id)
}

export async function selectFacilitiesOf(db: Db, tenantId: string, facilityIds: readonly string[]) {
  return await db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .execute()
}

export async function lockFacilityStates(
  tx: Tx,
  tenantId: string,
  facilityIds: readonly string[],
  locked: 'wait for' | 'pass over',
): Promise<Map<string, FacilityState>> {
  let query = tx
    .selectFrom('facilities')
    .select(['facility_id', 'state'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', anyOf(facilityIds))
    .orderBy('facility_id')
    .forNoKeyUpdate()
  if (locked === 'pass over') query = query.skipLocked()
  const rows = await query.execute()
  return new Map(rows.map((row) => [row.facility_id, row.state]))
}

export async function selectApprovedOf(
  db: Db,
  tenantId: string,
  borrowerIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('borrower_id', '=', sql<string>`ANY(${borrowerIds})`)
    .where('state', '=', 'APPROVED')
    .orderBy('facility_id')
    .execute()
  return rows.map((row) => row.facility_id)
}

export async function selectFacilities(
  db: Db,
  tenantId: string,
  page: {
    borrowerId: string | undefined
    state: FacilityState | undefined
    externalId: string | undefined
    before: string | undefined
    limit: number
  },
) {
  let query = db.selectFrom('facilities').selectAll().where('tenant_id', '=', tenantId)
  if (page.borrowerId !== undefined) query = query.where('borrower_id', '=', page.borrowerId)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  if (page.externalId !== undefined) query = query.where('external_id', '=', page.externalId)
  if (page.before !== undefined) query = query.where('facility_id', '<', page.before)
  return await query.orderBy('facility_id', 'desc').limit(page.limit).execute()
}

/** False where another facility has the external id; one inserted meanwhile is waited for. The caller
 * holds the lock of the borrower's row. */
export async function insertFacility(
  tx: Tx,
  row: Insertable<Tables['facilities']>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('facilities')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'external_id']).where(HAS_EXTERNAL_ID).doNothing(),
    )
    .returning('facility_id')
    .execute()
  if (inserted.length === 0) return false
  await tx
    .updateTable('borrowers')
    .set({ latest_facility_id: row.facility_id })
    .where('tenant_id', '=', row.tenant_id)
    .where('borrower_id', '=', row.borrower_id)
    .execute()
  return true
}

/** A tenant may have one such facility under each external id. */
const HAS_EXTERNAL_ID = sql<boolean>`external_id IS NOT NULL AND state <> 'DECLINED'
  AND close_reason IS DISTINCT FROM 'cancelled'`

/** The one that has the external id, or where it has ended since, the newest. */
export async function selectIdOfExternal(
  db: Db,
  tenantId: string,
  externalId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('facilities')
    .select('facility_id')
    .where('tenant_id', '=', tenantId)
    .where('external_id', '=', externalId)
    .orderBy(HAS_EXTERNAL_ID, 'desc')
    .orderBy('facility_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.facility_id
}

/** Throws unless the facility is still in the state it was read in. */
export async function updateFacilityRow(
  tx: Tx,
  tenantId: string,
  { id, state }: { id: string; state: FacilityState },
  change: Updateable<FacilityTable>,
): Promise<void> {
  const result = await tx
    .updateTable('facilities')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', id)
    .where('state', '=', state)
    .executeTakeFirst()
  if (result.numUpdatedRows !== 1n) throw new Error(`facility ${id} changed under its lock`)
}

/** The caller holds the facility's lock. */
export async function updateEased(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  eased: string | null,
): Promise<void> {
  await tx
    .updateTable('facilities')
    .set({ eased })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .execute()
}

export type MarginState = { openWarning: number | undefined; hasLiveCall: boolean }

export async function selectMarginState(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<MarginState> {
  const { rows } = await sql<{ open_warning: number | null; has_live_call: boolean }>`
    SELECT (SELECT number FROM margin_warnings WHERE tenant_id = ${tenantId}
            AND facility_id = ${facilityId} AND status = 'OPEN') AS open_warning,
           EXISTS (SELECT 1 FROM margin_calls WHERE tenant_id = ${tenantId}
            AND facility_id = ${facilityId} AND status IN ('PENDING', 'SELLING')) AS has_live_call
  `.execute(db)
  return {
    openWarning: rows[0]?.open_warning ?? undefined,
    hasLiveCall: rows[0]?.has_live_call ?? false,
  }
}

/** In cents: the debt that was charged off on any of the borrower's facilities, less what came back. */
export async function selectDeficit(db: Db, tenantId: string, borrowerId: string): Promise<bigint> {
  const { rows } = await sql<{ cents: bigint }>`
    SELECT coalesce(sum(charged_off_principal_cents + charged_off_interest_cents - recovered_cents),
      0) AS cents
    FROM facilities WHERE tenant_id = ${tenantId} AND borrower_id = ${borrowerId}
      AND close_reason = 'charged_off'`.execute(db)
  return rows[0]?.cents ?? 0n
}
