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

export async function selectSumsUntil(
  db: Db,
  tenantId: string,
  facilityId: string,
  until: Date,
): Promise<Sums> {
  const { rows } = await sql<Sums>`
    SELECT coalesce(sum(delta_cents), 0) AS principal,
      coalesce(sum(delta_cents * round(1000 * extract(epoch FROM effective_at))), 0) AS weighted,
      (SELECT coalesce(sum(p.amount), 0) FROM ${lines}
       WHERE j.tenant_id = ${tenantId} AND j.facility_id = ${facilityId} AND j.kind <> 'interest'
         AND p.account IN ('loans_receivable', 'interest_receivable')
         AND ${valueAt(tenantId)} <= ${until}) AS moved
    FROM principal_movements
    WHERE tenant_id = ${tenantId} AND facility_id = ${facilityId} AND effective_at <= ${until}
  `.execute(db)
  return rows[0] ?? { principal: 0n, weighted: 0n, moved: 0n }
}

/** After `from`, until `to`; accrued interest left out. */
export async function selectEntries(
  db: Db,
  tenantId: string,
  facilityId: string,
  { from, to, limit }: Period & { limit: number },
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
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
    ORDER BY value_at, booked_at, entry_id LIMIT ${limit}`.execute(db)
  return rows
}

export async function selectParts(
  db: Db,
  tenantId: string,
  facilityId: string,
  { from, to, limit }: Period & { limit: number },
): Promise<PartRow[]> {
  const { rows } = await sql<PartRow>`
    SELECT m.source_id, m.effective_at, m.delta_cents, j.booked_at
    FROM principal_movements m LEFT JOIN journal j
      ON j.tenant_id = m.tenant_id AND j.facility_id = m.facility_id
        AND j.entry_id = 'correction/repayment/' || m.source_id
    WHERE m.tenant_id = ${tenantId} AND m.facility_id = ${facilityId}
      AND m.effective_at > ${from} AND m.effective_at <= ${to}
    ORDER BY m.effective_at, m.source_id, m.part LIMIT ${limit}`.execute(db)
  return rows
}
