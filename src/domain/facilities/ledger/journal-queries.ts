import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import type { JournalEntry } from './journal.ts'

/** Fails for an entry of a closed month; until the transaction ends no month is closed. */
export const requireOpenMonth = builtOnce(
  (_tx, { tenantId, id, bookedAt }: { tenantId: string; id: string; bookedAt: Date }) =>
    sql<never>`SELECT require_open_month(${tenantId}, ${id}, ${bookedAt})`,
)

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
    ), entry AS (
      INSERT INTO journal AS j (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts,
                                value_at, booked_at)
      VALUES (${tenantId}, ${facilityId}, ${entry.id}, ${entry.kind},
              ${postings.map((posting) => posting.account)}::text[],
              ${postings.map((posting) => posting.asset)}::text[],
              ${postings.map((posting) => posting.units)}::numeric[],
              ${entry.valueAt}, ${entry.bookedAt})
      RETURNING record_of(j) AS record
    )
    INSERT INTO unbound_records (tenant_id, facility_id, record)
    SELECT ${tenantId}, ${facilityId}, record FROM entry
  `.execute(tx)
}

export type AccrualRow = { facilityId: string; id: string; cents: bigint; postedAt: Date }

/** Interest of whole months: one entry each. */
export async function insertAccruals(
  tx: Tx,
  tenantId: string,
  rows: readonly AccrualRow[],
): Promise<void> {
  if (rows.length === 0) return
  // Given twice: Citus sends a list that two inserts share to every node.
  const accrual = sql`unnest(
        ${rows.map((row) => row.facilityId)}::text[], ${rows.map((row) => row.id)}::text[],
        ${rows.map((row) => row.cents)}::numeric[], ${rows.map((row) => row.postedAt)}::timestamptz[]
      ) AS accrual (facility_id, entry_id, cents, posted_at)`
  await sql`
    WITH key AS (
      INSERT INTO journal_entries (tenant_id, facility_id, entry_id)
      SELECT ${tenantId}, facility_id, entry_id FROM ${accrual}
    ), entry AS (
      INSERT INTO journal AS j (tenant_id, facility_id, entry_id, kind, accounts, assets, amounts,
                                value_at, booked_at)
      SELECT ${tenantId}, facility_id, entry_id, 'interest',
             '{interest_receivable,interest_income}', '{USD,USD}', ARRAY[cents, -cents],
             posted_at, posted_at
      FROM ${accrual}
      RETURNING j.facility_id, record_of(j) AS record
    )
    INSERT INTO unbound_records (tenant_id, facility_id, record)
    SELECT ${tenantId}, facility_id, record FROM entry`.execute(tx)
}

export async function insertPrincipalMovement(
  tx: Tx,
  row: Insertable<Tables['principal_movements']>,
): Promise<void> {
  await tx.insertInto('principal_movements').values(row).execute()
}

export type HistoryRow = {
  entry_id: string
  kind: string
  value_at: Date
  /** Interest accrued, and credits of the accounts in cents. */
  accrued: bigint
  interest: bigint
  principal: bigint
  refund: bigint
  recovered: bigint
}

const DEBT_KINDS = [
  ...['interest', 'draw', 'repayment', 'sale', 'proceeds', 'recovery', 'waiver', 'charge_off'],
  ...['refund', 'payout', 'waive_interest', 'credit', 'correction', 'charge_off_correction'],
  ...['draw_return', 'draw_recovery', 'refund_return', 'repayment_return', 'waiver_return'],
]

/** Every entry about the debt, with its value date. */
export async function selectHistory(
  tx: Db,
  tenantId: string,
  facilityId: string,
): Promise<HistoryRow[]> {
  // Entries without a value date are of the release before: a repayment's is its report. The refund of
  // what never was for the debt has the id of its receipt in an entry of the suspense.
  const { rows } = await sql<HistoryRow>`
    SELECT j.entry_id, j.kind, coalesce(j.value_at, r.reported_at, j.booked_at) AS value_at,
      coalesce(sum(p.amount) FILTER (WHERE j.kind = 'interest'), 0) AS accrued,
      coalesce(-sum(p.amount) FILTER (WHERE j.kind <> 'interest'
                                      AND p.account = 'interest_receivable'), 0) AS interest,
      coalesce(-sum(p.amount) FILTER (WHERE p.account = 'loans_receivable'), 0) AS principal,
      coalesce(-sum(p.amount) FILTER (WHERE p.account = 'refunds_payable'), 0) AS refund,
      coalesce(-sum(p.amount) FILTER (WHERE p.account = 'recoveries'), 0) AS recovered
    FROM journal j
    CROSS JOIN LATERAL (
      SELECT chart_account(account, asset) AS account, amount
      FROM unnest(j.accounts, j.assets, j.amounts) AS line (account, asset, amount)
      WHERE asset = 'USD') p
    LEFT JOIN repayments r ON j.value_at IS NULL AND r.tenant_id = ${tenantId}
      AND r.repayment_id = substr(j.entry_id, length('repayment/') + 1)
    WHERE j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId}
      AND j.kind = ANY (${DEBT_KINDS}::text[])
      AND p.account IN ('loans_receivable', 'interest_receivable', 'refunds_payable', 'recoveries')
      AND NOT (j.kind IN ('refund', 'refund_return') AND EXISTS (
        SELECT FROM refunds x WHERE x.tenant_id = ${tenantId}
          AND x.refund_id = substring(j.entry_id FROM 'rfd_[^/]+')
          AND (x.source_id LIKE '%/suspense%' OR EXISTS (
            SELECT FROM journal_entries k WHERE k.tenant_id = ${tenantId}
              AND k.facility_id = ${facilityId}
              AND k.entry_id = 'suspense/' || split_part(x.source_id, '/', 1)))))
    GROUP BY j.entry_id, j.kind, 3`.execute(tx)
  return rows
}

/** Entries of receipts that can still be taken back. */
export async function selectProvisionalEntries(
  db: Db,
  tenantId: string,
  facilityId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('repayments')
    .select('repayment_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'APPLIED')
    .where('final_at', 'is not', null)
    .where('finality_at', 'is', null)
    .execute()
  return rows.map((row) => `repayment/${row.repayment_id}`)
}

/** Those that were taken back too. */
export async function countWaivers(tx: Tx, tenantId: string, facilityId: string): Promise<number> {
  const { rows } = await sql<{ waivers: number }>`
    SELECT count(*)::int AS waivers FROM journal_entries
    WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId}
      AND (entry_id = 'waiver' OR entry_id LIKE 'waiver/%')`.execute(tx)
  return rows[0]?.waivers ?? 0
}

/** From when no interest has run. */
export async function selectChargedOffAt(
  tx: Tx,
  tenantId: string,
  facilityId: string,
): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('journal')
    .select(['value_at', 'booked_at'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('entry_id', '=', 'charge_off')
    .executeTakeFirst()
  return row && (row.value_at ?? row.booked_at)
}

/** The lines of an entry, as they were booked. */
export async function selectLines(
  tx: Tx,
  tenantId: string,
  { facilityId, entryId }: { facilityId: string; entryId: string },
): Promise<{ account: string; asset: string; amount: bigint }[]> {
  return await tx
    .selectFrom('journal_lines')
    .select(['account', 'asset', 'amount'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('entry_id', '=', entryId)
    .orderBy('line')
    .execute()
}
