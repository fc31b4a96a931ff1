import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { readOnce, stepOnce } from '../../db/built-once.ts'
import type { Db, Tx } from '../../db/database.ts'
import { WITH_NEXT } from '../../db/known-statements.ts'
import { anyOf } from '../../db/planned-once.ts'
import type { FacilityState, FacilityRow as FacilityTable } from '../../db/schema/facilities.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { unlessChanged } from '../../db/unless-changed.ts'

export type FacilityRow = Selectable<FacilityTable>

type FacilityKey = { tenantId: string; facilityId: string }

const byKey = (db: Db, { tenantId, facilityId }: FacilityKey) =>
  db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)

const selectByKey = readOnce(byKey)
const lockByKey = stepOnce((db, key: FacilityKey) => byKey(db, key).forNoKeyUpdate())

export async function selectFacility(db: Db, tenantId: string, facilityId: string) {
  return (await selectByKey(db, { tenantId, facilityId }))[0]
}

export async function lockFacilityRow(tx: Tx, tenantId: string, facilityId: string) {
  return (await lockByKey(tx, { tenantId, facilityId }))[0]
}

const lockApproved = stepOnce(
  (db, { tenantId, ids }: { tenantId: string; ids: readonly string[] }) =>
    db
      .selectFrom('facilities')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('facility_id', '=', anyOf(ids))
      .where('state', '=', sql.lit('APPROVED' as const))
      .orderBy('facility_id')
      .forNoKeyUpdate(),
)

export async function lockApprovedRows(tx: Tx, tenantId: string, facilityIds: readonly string[]) {
  return await lockApproved(tx, { tenantId, ids: facilityIds })
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
    before: string | undefined
    limit: number
  },
) {
  let query = db.selectFrom('facilities').selectAll().where('tenant_id', '=', tenantId)
  if (page.borrowerId !== undefined) query = query.where('borrower_id', '=', page.borrowerId)
  if (page.state !== undefined) query = query.where('state', '=', page.state)
  if (page.before !== undefined) query = query.where('facility_id', '<', page.before)
  return await query.orderBy('facility_id', 'desc').limit(page.limit).execute()
}

/** The caller holds the lock of the borrower's row. */
export async function insertFacility(tx: Tx, row: Insertable<Tables['facilities']>): Promise<void> {
  await tx.insertInto('facilities').values(row).execute()
  await tx
    .updateTable('borrowers')
    .set({ latest_facility_id: row.facility_id })
    .where('tenant_id', '=', row.tenant_id)
    .where('borrower_id', '=', row.borrower_id)
    .execute()
}

/** Under its lock. Sent with the next statement, which fails unless the facility is still in the state
 * it was read in. */
export async function updateFacilityRow(
  tx: Tx,
  tenantId: string,
  { id, state: was }: { id: string; state: FacilityState },
  { state: next = was, ...change }: Updateable<FacilityTable>,
): Promise<void> {
  const state = unlessChanged('state', { was, next, name: `facility ${id}` })
  await tx
    .updateTable('facilities')
    .set({ ...change, state })
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', id)
    .modifyEnd(sql.raw(WITH_NEXT))
    .execute()
}

export type MarginState = { openWarning: number | undefined; hasLiveCall: boolean }

const selectStates = readOnce(
  (_db, { tenantId, facilityId }: FacilityKey) => sql<{
    open_warning: number | null
    has_live_call: boolean
  }>`
    SELECT (SELECT number FROM margin_warnings WHERE tenant_id = ${tenantId}
            AND facility_id = ${facilityId} AND status = 'OPEN') AS open_warning,
           EXISTS (SELECT 1 FROM margin_calls WHERE tenant_id = ${tenantId}
            AND facility_id = ${facilityId} AND status IN ('PENDING', 'SELLING')) AS has_live_call`,
)

export async function selectMarginState(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<MarginState> {
  const [row] = await selectStates(db, { tenantId, facilityId })
  return {
    openWarning: row?.open_warning ?? undefined,
    hasLiveCall: row?.has_live_call ?? false,
  }
}
