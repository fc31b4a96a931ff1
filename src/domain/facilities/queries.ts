import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FacilityState, FacilityRow as FacilityTable } from '../../db/schema/facilities.ts'
import type { Tables } from '../../db/schema/tables.ts'
import type { PrincipalMovement } from './ledger/debt.ts'
import type { JournalEntry } from './ledger/journal.ts'

export type FacilityRow = Selectable<FacilityTable>

export async function selectFacility(db: Db, tenantId: string, facilityId: string) {
  return await db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .executeTakeFirst()
}

export async function lockFacilityRow(tx: Tx, tenantId: string, facilityId: string) {
  return await tx
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** In the order of their ids; those that are no longer approved are left out. */
export async function lockApprovedRows(tx: Tx, tenantId: string, facilityIds: readonly string[]) {
  return await tx
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', sql<string>`ANY (${[...facilityIds]}::text[])`)
    .where('state', '=', 'APPROVED')
    .orderBy('facility_id')
    .forNoKeyUpdate()
    .execute()
}

/** A page of a tenant's approved facilities, in the order of their ids, after `after`. */
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
    .where('facility_id', '=', sql<string>`ANY (${[...facilityIds]}::text[])`)
    .execute()
}

/** Locks facilities in the order of their ids; the state of each, but of those passed over. */
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
    .where('facility_id', '=', sql<string>`ANY (${[...facilityIds]}::text[])`)
    .orderBy('facility_id')
    .forNoKeyUpdate()
  if (locked === 'pass over') query = query.skipLocked()
  const rows = await query.execute()
  return new Map(rows.map((row) => [row.facility_id, row.state]))
}

/** The approved facilities of these borrowers. */
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

/** Stores a facility, and names it on the row of its borrower, whose lock the caller holds. */
export async function insertFacility(tx: Tx, row: Insertable<Tables['facilities']>): Promise<void> {
  await tx.insertInto('facilities').values(row).execute()
  await tx
    .updateTable('borrowers')
    .set({ latest_facility_id: row.facility_id })
    .where('tenant_id', '=', row.tenant_id)
    .where('borrower_id', '=', row.borrower_id)
    .execute()
}

/** Changes a facility whose lock the caller holds, and that is still in the state it was read in. */
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

export async function insertEntry(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  entry: JournalEntry,
): Promise<void> {
  const { postings } = entry
  // Booking it again fails at its key, in whatever month.
  await sql`
    WITH key AS (
      INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
      VALUES (${tenantId}, ${facilityId}, ${entry.id})
    )
    INSERT INTO journal (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts, booked_at)
    VALUES (${tenantId}, ${facilityId}, ${entry.id}, ${entry.kind},
            ${postings.map((posting) => posting.account)}::text[],
            ${postings.map((posting) => posting.asset)}::text[],
            ${postings.map((posting) => posting.units)}::numeric[], ${entry.bookedAt})
  `.execute(tx)
}

export async function insertPrincipalMovement(
  tx: Tx,
  row: Insertable<Tables['principal_movements']>,
): Promise<void> {
  await tx.insertInto('principal_movements').values(row).execute()
}

/** Movements of principal that count from after `at`, in order of time. */
export async function selectMovementsAfter(
  tx: Tx,
  tenantId: string,
  facilityId: string,
  at: Date,
): Promise<PrincipalMovement[]> {
  const rows = await tx
    .selectFrom('principal_movements')
    .select(['effective_at', 'delta_cents'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('effective_at', '>', at)
    .orderBy('effective_at')
    .execute()
  return rows.map((row) => ({ effectiveAt: row.effective_at, deltaCents: row.delta_cents }))
}

/** Whether money of the facility is under way: a draw, a repayment not settled, a margin call. */
export async function hasMoneyUnderWay(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ under_way: boolean }>`
    SELECT EXISTS (SELECT 1 FROM draws WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status IN ('PENDING', 'REPORTED'))
        OR EXISTS (SELECT 1 FROM margin_calls WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status IN ('PENDING', 'SELLING'))
        AS under_way`.execute(db)
  return rows[0]?.under_way ?? false
}

/** Whether what is owed is still to change: by a draw, or by a repayment that treasury looks for. */
export async function hasDebtUnderWay(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ under_way: boolean }>`
    SELECT EXISTS (SELECT 1 FROM draws WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'REPORTED')
        AS under_way`.execute(db)
  return rows[0]?.under_way ?? false
}

export type MarginState = { openWarning: number | undefined; hasLiveCall: boolean }

/** What margin is doing with a facility: the number of its open warning, and whether a call lives. */
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

/** Whether money that has moved is still to be settled: looked for by the treasury, or owed back. */
export async function hasUnsettledMoney(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<boolean> {
  const { rows } = await sql<{ unsettled: boolean }>`
    SELECT EXISTS (SELECT 1 FROM refunds WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'PENDING')
        OR EXISTS (SELECT 1 FROM repayments WHERE tenant_id = ${tenantId}
                   AND facility_id = ${facilityId} AND status = 'REPORTED')
        AS unsettled`.execute(db)
  return rows[0]?.unsettled ?? false
}
