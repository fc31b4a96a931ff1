import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { anyOf } from '../../db/sql/planned-once.ts'
import { inScope, type TenantScope } from '../../db/tenant-scope.ts'

/** Tenants with a facility that was approved, which have no row yet. */
export async function selectNewTenants(db: Db, tenantId: TenantScope): Promise<string[]> {
  // @one server: new tenants are few.
  const { rows } = await sql<{ tenant_id: string }>`
    SELECT t.tenant_id FROM tenants t
    WHERE ${inScope(tenantId, 't.tenant_id')}
      AND NOT EXISTS (SELECT FROM reconciliations r WHERE r.tenant_id = t.tenant_id)
      AND EXISTS (SELECT FROM facilities f WHERE f.tenant_id = t.tenant_id
                    AND f.state IN ('APPROVED', 'CLOSING', 'CLOSED'))`.execute(db)
  return rows.map((row) => row.tenant_id)
}

export async function insertReconciliation(
  db: Db,
  row: Insertable<Tables['reconciliations']>,
): Promise<void> {
  await db
    .insertInto('reconciliations')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute()
}

export type Progress = { tenantId: string; dueAt: Date; leasedUntil: Date | undefined }

export async function selectProgress(db: Db, tenantId: TenantScope): Promise<Progress[]> {
  // @one server: finds those whose day has ended.
  const rows = await db
    .selectFrom('reconciliations')
    .select(['tenant_id', 'due_at', 'leased_until'])
    .where(inScope(tenantId))
    .execute()
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    dueAt: row.due_at,
    leasedUntil: row.leased_until ?? undefined,
  }))
}

export type Turn = { firstDay: string; day: string; timeZone: string }

/** Undefined while another worker has it. */
export async function leaseReconciliation(
  db: Db,
  tenantId: string,
  { realNow, until }: { realNow: Date; until: Date },
): Promise<Turn | undefined> {
  const row = await db
    .updateTable('reconciliations')
    .set({ leased_until: until })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`(leased_until IS NULL OR leased_until <= ${realNow})`)
    .returning(['first_day', 'next_day', 'time_zone'])
    .executeTakeFirst()
  return row && { firstDay: row.first_day, day: row.next_day, timeZone: row.time_zone }
}

/** A longer lease, or none. */
export async function updateLease(db: Db, tenantId: string, until: Date | null): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ leased_until: until })
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** False where another worker has done the day. */
export async function updateProgress(
  tx: Tx,
  tenantId: string,
  step: { day: string; nextDay: string; timeZone: string; dueAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reconciliations')
    .set({
      next_day: step.nextDay,
      time_zone: step.timeZone,
      due_at: step.dueAt,
      leased_until: null,
    })
    .where('tenant_id', '=', tenantId)
    .where('next_day', '=', step.day)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Keeps rows that exist: a transfer listed again after a crash is the same. */
export async function insertListed(
  db: Db,
  rows: readonly Insertable<Tables['listed_transfers']>[],
): Promise<void> {
  if (rows.length === 0) return
  await db
    .insertInto('listed_transfers')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['tenant_id', 'transfer_id']).doNothing())
    .execute()
}

export async function insertListedDay(
  tx: Tx,
  row: Insertable<Tables['reconciled_days']>,
): Promise<void> {
  const { balances, ...rest } = row
  await tx
    .insertInto('reconciled_days')
    .values({ ...rest, balances: JSON.stringify(balances) as unknown as Record<string, string> })
    .execute()
}

export async function selectListedDays(db: Db, tenantId: string, days: readonly string[]) {
  return await db
    .selectFrom('reconciled_days')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('day', '=', anyOf(days))
    .execute()
}

export type ListedRow = {
  transfer_id: string
  asset: string
  units: bigint
  call_id: string | null
  returns: string | null
  day: string
}

const LISTED = ['transfer_id', 'asset', 'units', 'call_id', 'returns', 'day'] as const

export async function selectListedOn(db: Db, tenantId: string, day: string): Promise<ListedRow[]> {
  // @plan reads listed_transfers: all of the day are compared.
  return await db
    .selectFrom('listed_transfers')
    .select(LISTED)
    .where('tenant_id', '=', tenantId)
    .where('day', '=', day)
    .execute()
}

/** Finds transfers by their own ids, by the subjects of their calls, and by the transfers that they return. */
export async function selectListed(
  db: Db,
  tenantId: string,
  by: { transferIds: readonly string[]; subjects: readonly string[] },
): Promise<ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    SELECT transfer_id, asset, units, call_id, returns, day FROM listed_transfers
    WHERE tenant_id = ${tenantId} AND transfer_id = ${anyOf(by.transferIds)}
    UNION
    SELECT transfer_id, asset, units, call_id, returns, day FROM listed_transfers
    WHERE tenant_id = ${tenantId} AND call_id IS NOT NULL
      AND split_part(call_id, '.', 1) = ${anyOf(by.subjects)}
    UNION
    SELECT transfer_id, asset, units, call_id, returns, day FROM listed_transfers
    WHERE tenant_id = ${tenantId} AND returns = ${anyOf(by.transferIds)}`.execute(db)
  return rows
}

/** The transfers that pay repayments: of these transfers, and of these repayments. */
export async function selectConfirmed(
  db: Db,
  tenantId: string,
  by: { transferIds: readonly string[]; repaymentIds: readonly string[] },
): Promise<{ transfer_id: string; repayment_id: string }[]> {
  const { rows } = await sql<{ transfer_id: string; repayment_id: string }>`
    SELECT transfer_id, repayment_id FROM confirmed_transfers
    WHERE tenant_id = ${tenantId} AND transfer_id = ${anyOf(by.transferIds)}
    UNION
    SELECT transfer_id, repayment_id FROM confirmed_transfers
    WHERE tenant_id = ${tenantId} AND repayment_id = ${anyOf(by.repaymentIds)}`.execute(db)
  return rows
}

export type CashRow = {
  facility_id: string
  entry_id: string
  value_at: Date
  booked_at: Date
  asset: string
  units: bigint
}

const MONEY = sql`ARRAY['bank', 'wallet', 'cash']`

const CASH = sql`
  SELECT j.facility_id, j.entry_id, coalesce(j.value_at, j.booked_at) AS value_at, j.booked_at,
         p.asset, sum(p.amount) AS units
  FROM journal j
  CROSS JOIN LATERAL unnest(j.accounts, j.assets, j.amounts) AS p (account, asset, amount)`

/** Movements of bank and wallet that were posted in a period. `writtenFrom`, by real time, spares the months
 * before it. */
export async function selectPostedCash(
  db: Db,
  tenantId: string,
  period: { from: Date; to: Date; writtenFrom: Date | undefined },
): Promise<CashRow[]> {
  // @plan reads everything: entries have no index by posting date; two months of one tenant at most on live.
  const { rows } = await sql<CashRow>`${CASH}
    WHERE j.tenant_id = ${tenantId} AND j.booked_at >= ${period.from} AND j.booked_at < ${period.to}
      AND j.month >= date_trunc('month', coalesce(${period.writtenFrom ?? null}::timestamptz,
                                                  '2000-01-01') AT TIME ZONE 'UTC')::date
      AND j.accounts && ${MONEY} AND p.account = ANY (${MONEY})
    GROUP BY j.facility_id, j.entry_id, 3, j.booked_at, p.asset
    HAVING sum(p.amount) <> 0`.execute(db)
  return rows
}

/** The same of named entries. */
export async function selectCash(
  db: Db,
  tenantId: string,
  entries: readonly { facilityId: string; entryId: string }[],
): Promise<CashRow[]> {
  const facilityIds = entries.map(({ facilityId }) => facilityId)
  const entryIds = entries.map(({ entryId }) => entryId)
  const { rows } = await sql<CashRow>`${CASH}
    WHERE j.tenant_id = ${tenantId} AND p.account = ANY (${MONEY})
      AND (j.facility_id, j.entry_id) IN (
        SELECT * FROM unnest(${facilityIds}::text[], ${entryIds}::text[]))
    GROUP BY j.facility_id, j.entry_id, 3, j.booked_at, p.asset
    HAVING sum(p.amount) <> 0`.execute(db)
  return rows
}

export type SubjectRow = {
  id: string
  facility_id: string
  /** Before it no money can have moved. */
  begun_at: Date | null
  /** A receipt that was dated at the request of its repayment may have come earlier. */
  is_clipped: boolean
}

/** Draws, repayments and refunds. */
export async function selectSubjects(
  db: Db,
  tenantId: string,
  ids: readonly string[],
): Promise<SubjectRow[]> {
  const { rows } = await sql<SubjectRow>`
    SELECT draw_id AS id, facility_id, payout_sent_at AS begun_at, false AS is_clipped FROM draws
    WHERE tenant_id = ${tenantId} AND draw_id = ${anyOf(ids)}
    UNION ALL
    SELECT repayment_id, facility_id, NULL, coalesce(value_at = requested_at, false) FROM repayments
    WHERE tenant_id = ${tenantId} AND repayment_id = ${anyOf(ids)}
    UNION ALL
    SELECT refund_id, facility_id, created_at, false FROM refunds
    WHERE tenant_id = ${tenantId} AND refund_id = ${anyOf(ids)}`.execute(db)
  return rows
}

export type OwnAccountRow = {
  facility_id: string
  borrower_id: string
  state: string
  close_reason: string | null
  custodian_floor_cents: bigint
  custodian_sequence: bigint
  floor_sequence: bigint
}

/** Facilities with ids after `after`, up to and including `last`. */
export async function selectOwnAccounts(
  db: Db,
  tenantId: string,
  { after, last }: { after: string; last: string | undefined },
): Promise<OwnAccountRow[]> {
  // @plan reads facilities: every account is compared.
  return await db
    .selectFrom('facilities')
    .select([
      'facility_id',
      'borrower_id',
      'state',
      'close_reason',
      'custodian_floor_cents',
      'custodian_sequence',
      'floor_sequence',
    ])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '>', after)
    .$if(last !== undefined, (query) => query.where('facility_id', '<=', last ?? ''))
    .execute()
}
