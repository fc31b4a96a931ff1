import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import type { Tables } from '../../../db/schema/tables.ts'
import { builtOnce } from '../../../db/transactions/built-once.ts'
import type { PrincipalMovement } from './debt.ts'
import type { JournalEntry } from './journal.ts'
import type { DebtMovement, Step } from './late-payment.ts'

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

type HistoryRow = {
  entry_id: string
  value_at: Date
  /** Of a draw or a receipt what it changes the debt by, else 0. */
  cents: bigint
  accrued: bigint
  interest: bigint
  principal: bigint
  refund: bigint
}

/** Draws and receipts in order of their value dates, and every entry about the debt. */
export async function selectHistory(
  tx: Db,
  tenantId: string,
  facilityId: string,
): Promise<{ movements: (DebtMovement & { entryId: string })[]; steps: Step[] }> {
  // Entries without a value date are of the release before: a repayment's is its report.
  const { rows } = await sql<HistoryRow>`
    SELECT j.entry_id, coalesce(j.value_at, r.reported_at, j.booked_at) AS value_at,
      CASE WHEN j.kind IN ('correction', 'interest') THEN 0 ELSE sum(p.amount) END AS cents,
      coalesce(sum(p.amount) FILTER (WHERE j.kind = 'interest'), 0) AS accrued,
      coalesce(-sum(p.amount) FILTER (WHERE j.kind <> 'interest'
                                      AND p.account = 'interest_receivable'), 0) AS interest,
      coalesce(-sum(p.amount) FILTER (WHERE p.account = 'loans_receivable'), 0) AS principal,
      coalesce(-sum(p.amount) FILTER (WHERE p.account = 'refunds_payable'), 0) AS refund
    FROM journal j
    CROSS JOIN LATERAL (
      SELECT chart_account(account, asset) AS account, amount
      FROM unnest(j.accounts, j.assets, j.amounts) AS line (account, asset, amount)
      WHERE asset = 'USD') p
    LEFT JOIN repayments r ON j.value_at IS NULL AND r.tenant_id = j.tenant_id
      AND r.repayment_id = substr(j.entry_id, length('repayment/') + 1)
    WHERE j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId}
      AND j.kind IN ('interest', 'draw', 'repayment', 'sale', 'proceeds', 'correction',
                     'interest_return')
      AND p.account IN ('loans_receivable', 'interest_receivable', 'refunds_payable')
    GROUP BY j.entry_id, j.kind, 2
    ORDER BY 2, j.kind <> 'draw', j.entry_id`.execute(tx)
  return {
    movements: rows
      .filter(({ cents }) => cents !== 0n)
      .map(({ entry_id, value_at, cents }) => ({ entryId: entry_id, valueAt: value_at, cents })),
    steps: rows.map(({ value_at: valueAt, accrued, interest, principal, refund }) => ({
      valueAt,
      accruedCents: accrued,
      interestCents: interest,
      principalCents: principal,
      refundCents: refund,
    })),
  }
}

/** Entries of receipts that can still be taken back. */
export async function selectProvisionalEntries(
  db: Db,
  tenantId: string,
  facilityId: string,
  now: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('repayments')
    .select('repayment_id')
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .where('status', '=', 'APPLIED')
    .where('final_at', '>', now)
    .execute()
  return new Set(rows.map((row) => `repayment/${row.repayment_id}`))
}

export async function selectPrincipalMovements(
  tx: Tx,
  tenantId: string,
  facilityId: string,
): Promise<PrincipalMovement[]> {
  const rows = await tx
    .selectFrom('principal_movements')
    .select(['effective_at', 'delta_cents'])
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '=', facilityId)
    .execute()
  return rows.map((row) => ({ effectiveAt: row.effective_at, deltaCents: row.delta_cents }))
}
