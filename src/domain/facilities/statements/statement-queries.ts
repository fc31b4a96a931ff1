import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

export type Period = { from: Date; to: Date }

export type EntryRow = {
  entry_id: string
  kind: string
  value_at: Date
  booked_at: Date
  principal: bigint
  interest: bigint
  refund_due: bigint
  recovered: bigint
  money_asset: string | null
  money_units: bigint
}

/** How principal changed at an instant, by its source; `booked_at` where a late payment changed it. */
export type PartRow = {
  source_id: string
  effective_at: Date
  delta_cents: bigint
  booked_at: Date | null
}

export type Sums = {
  principal: bigint
  /** Of principal times the milliseconds since 1970 of its instant. */
  weighted: bigint
  /** Of everything booked to the debt but interest accrued. */
  moved: bigint
}

// Entries without a value date are of an earlier release: a repayment's is its report.
const valueAt = (tenantId: string) => sql<Date>`coalesce(j.value_at, (
  SELECT r.reported_at FROM repayments r WHERE r.tenant_id = ${tenantId}
    AND r.repayment_id = substr(j.entry_id, length('repayment/') + 1)), j.booked_at)`

const lines = sql`journal j CROSS JOIN LATERAL (
  SELECT chart_account(account, asset) AS account, asset, amount
  FROM unnest(j.accounts, j.assets, j.amounts) AS line (account, asset, amount)) p`

/** At some instants, in their order. */
export async function selectSums(
  db: Db,
  tenantId: string,
  facilityId: string,
  untils: readonly Date[],
): Promise<Sums[]> {
  const { rows } = await sql<Sums>`
    WITH booked AS MATERIALIZED (
      SELECT ${valueAt(tenantId)} AS value_at, p.amount FROM ${lines}
      WHERE j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId} AND j.kind <> 'interest'
        AND p.account IN ('loans_receivable', 'interest_receivable')
    )
    SELECT drawn.*, (SELECT coalesce(sum(amount), 0) FROM booked WHERE value_at <= u.until) AS moved
    FROM unnest(${[...untils]}::timestamptz[]) WITH ORDINALITY AS u (until, number)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(delta_cents), 0) AS principal,
        coalesce(sum(delta_cents * round(1000 * extract(epoch FROM effective_at))), 0) AS weighted
      FROM principal_movements
      WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId} AND effective_at <= u.until
    ) drawn
    ORDER BY u.number`.execute(db)
  return rows
}

/** After `from`, until `to`, by their value dates: the first `limit`, and all that have the date of the
 * last of these. Accrued interest is left out. */
export async function selectEntries(
  db: Db,
  tenantId: string,
  facilityId: string,
  { from, to, limit }: Period & { limit: number },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    SELECT * FROM (
      SELECT * FROM (
        SELECT j.entry_id, j.kind, ${valueAt(tenantId)} AS value_at, j.booked_at,
          coalesce(sum(p.amount) FILTER (WHERE p.account = 'loans_receivable'), 0) AS principal,
          coalesce(sum(p.amount) FILTER (WHERE p.account = 'interest_receivable'), 0) AS interest,
          coalesce(-sum(p.amount) FILTER (WHERE p.account = 'refunds_payable' AND p.asset = 'USD'), 0)
            AS refund_due,
          coalesce(-sum(p.amount) FILTER (WHERE p.account = 'recoveries'), 0) AS recovered,
          max(p.asset) FILTER (WHERE p.account IN ('bank', 'wallet')) AS money_asset,
          coalesce(sum(p.amount) FILTER (WHERE p.account IN ('bank', 'wallet')), 0) AS money_units
        FROM ${lines}
        WHERE j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId} AND j.kind <> 'interest'
        GROUP BY j.entry_id, j.kind, j.value_at, j.booked_at, j.tenant_id
      ) AS entry
      WHERE value_at > ${from} AND value_at <= ${to}
      ORDER BY value_at FETCH FIRST (${limit}) ROWS WITH TIES
    ) AS next
    ORDER BY value_at, booked_at, entry_id`.execute(db)
  return rows
}

/** Chosen as the entries are. */
export async function selectParts(
  db: Db,
  tenantId: string,
  facilityId: string,
  { from, to, limit }: Period & { limit: number },
): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    SELECT m.source_id, m.effective_at, m.delta_cents, j.booked_at
    FROM (
      SELECT * FROM principal_movements
      WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId}
        AND effective_at > ${from} AND effective_at <= ${to}
      ORDER BY effective_at FETCH FIRST (${limit}) ROWS WITH TIES
    ) m
    LEFT JOIN journal j
      ON j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId}
        AND j.entry_id = 'correction/repayment/' || m.source_id
    ORDER BY m.effective_at, m.source_id, m.part`.execute(db)
  return rows
}
