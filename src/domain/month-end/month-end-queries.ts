import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { anyOf } from '../../db/sql/planned-once.ts'

/** From `start` on, before `end`. */
export type Period = { start: Date; end: Date }

/** Facilities that were ever approved, by id. */
export async function selectTape(
  db: Db,
  tenantId: string,
  { end, after, limit }: { end: Date; after: string; limit: number },
) {
  // @plan reads facilities: the tape has all of them, a page at a time.
  return await db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('facility_id', '>', after)
    .where('state', 'in', ['APPROVED', 'CLOSING', 'CLOSED'])
    .where(sql<boolean>`close_reason IS DISTINCT FROM 'cancelled'`)
    .where('decisioned_at', '<', end)
    .orderBy('facility_id')
    .limit(limit)
    .execute()
}

export type SumRow = { facility_id: string; account: string; amount: bigint }

/** Sums the dollar postings of these facilities at or after `since`, by account. Amounts are in cents. */
export async function selectPostedSince(
  db: Db,
  tenantId: string,
  facilityIds: readonly string[],
  since: Date,
): Promise<SumRow[]> {
  // @plan reads everything: all entries of the page's facilities.
  const { rows } = await sql<SumRow>`
    SELECT facility_id, account, sum(amount) AS amount FROM journal_lines
    WHERE tenant_id = ${tenantId} AND facility_id = ${anyOf(facilityIds)} AND asset = 'USD'
      AND booked_at >= ${since}
      AND account IN ('loans_receivable', 'interest_receivable', 'refunds_payable', 'recoveries')
    GROUP BY facility_id, account`.execute(db)
  return rows
}

/** Interest earned in the period, by facility, in cents. */
export async function selectInterest(
  db: Db,
  tenantId: string,
  { start, end }: Period,
): Promise<{ facility_id: string; cents: bigint }[]> {
  // @plan reads everything: entries have no index by posting date.
  const { rows } = await sql<{ facility_id: string; cents: bigint }>`
    SELECT facility_id, -sum(amount) AS cents FROM journal_lines
    WHERE tenant_id = ${tenantId} AND account = 'interest_income' AND asset = 'USD'
      AND booked_at >= ${start} AND booked_at < ${end}
    GROUP BY facility_id ORDER BY facility_id`.execute(db)
  return rows
}

/** Orders whose sale was booked in the period, by borrower. */
export async function selectProceeds(db: Db, tenantId: string, { start, end }: Period) {
  // @plan reads everything: entries have no index by posting date.
  const { rows } = await sql<{
    borrower_id: string
    orders: number
    proceeds: bigint
    costs: bigint
  }>`
    SELECT f.borrower_id, count(*)::int AS orders, sum(s.proceeds_cents) AS proceeds,
           sum(least(s.costs_cents, s.proceeds_cents)) AS costs
    FROM journal j
    JOIN margin_sales s ON s.tenant_id = j.tenant_id AND s.facility_id = j.facility_id
      AND j.entry_id = 'sale/' || s.call_number || '/' || s.number
    JOIN facilities f ON f.tenant_id = j.tenant_id AND f.facility_id = j.facility_id
    WHERE j.tenant_id = ${tenantId} AND j.kind = 'sale'
      AND j.booked_at >= ${start} AND j.booked_at < ${end}
    GROUP BY f.borrower_id ORDER BY f.borrower_id`.execute(db)
  return rows
}

/** In cents: gross proceeds that passed through the books in the period, and what corrections wrote off. */
export async function selectTurnover(
  db: Db,
  tenantId: string,
  { start, end }: Period,
): Promise<{ proceeds: bigint; corrected: bigint }> {
  // @plan reads everything: entries have no index by posting date.
  const { rows } = await sql<{ proceeds: bigint; corrected: bigint }>`
    SELECT coalesce(-sum(amount) FILTER (WHERE account = 'collateral_proceeds' AND amount < 0), 0)
             AS proceeds,
           coalesce(sum(amount) FILTER (WHERE account = 'write_offs'
                      AND kind IN ('waive_interest', 'credit')), 0) AS corrected
    FROM journal_lines
    WHERE tenant_id = ${tenantId} AND asset = 'USD'
      AND booked_at >= ${start} AND booked_at < ${end}`.execute(db)
  return rows[0] ?? { proceeds: 0n, corrected: 0n }
}

/** Those that lay in the period. Their reasons may name a person and are left out. */
export async function selectHoldsOf(db: Db, tenantId: string, { start, end }: Period) {
  // @plan reads facility_pauses: holds have no index by tenant.
  return await db
    .selectFrom('facility_pauses')
    .select(['facility_id', 'pause_id', 'hold_kind', 'started_at', 'ended_at'])
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'hold')
    .where('started_at', '<', end)
    .where(sql<boolean>`(ended_at IS NULL OR ended_at >= ${start})`)
    .orderBy('started_at')
    .orderBy('pause_id')
    .execute()
}

/** Those of the period, with what each has written off, in cents. */
export async function selectCorrectionsOf(db: Db, tenantId: string, { start, end }: Period) {
  // @plan reads facility_corrections, journal, journal_entries: corrections are few, and have no index by time.
  const { rows } = await sql<{
    facility_id: string
    correction_id: string
    kind: string
    amount_cents: bigint | null
    rate_ppm: number | null
    from_at: Date | null
    until_at: Date | null
    corrected_at: Date
    undone_at: Date | null
    written_off: bigint
  }>`
    SELECT c.facility_id, c.correction_id, c.kind, c.amount_cents, c.rate_ppm, c.from_at, c.until_at,
      c.corrected_at, c.undone_at, coalesce((
        SELECT sum(l.amount) FROM journal_lines l
        WHERE l.tenant_id = ${tenantId} AND l.facility_id = c.facility_id
          AND l.entry_id = c.kind || '/' || c.correction_id
          AND l.account = 'write_offs' AND l.asset = 'USD'), 0) AS written_off
    FROM facility_corrections c
    WHERE c.tenant_id = ${tenantId} AND c.corrected_at >= ${start} AND c.corrected_at < ${end}
    ORDER BY c.corrected_at, c.correction_id`.execute(db)
  return rows
}

/** Breaks of days before `until` that nobody has resolved. */
export async function selectBreaksUntil(db: Db, tenantId: string, until: string) {
  // @plan reads reconciliation_breaks: open ones are few.
  return await db
    .selectFrom('reconciliation_breaks')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('resolved_at', 'is', null)
    .where('day', '<', until)
    .orderBy('day')
    .orderBy('break_id')
    .execute()
}

export async function selectClosedMonth(db: Db, tenantId: string, month: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM closed_months
    WHERE tenant_id = ${tenantId} AND month = ${`${month}-01`}::date`.execute(db)
  return rows.length > 0
}
