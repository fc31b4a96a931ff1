import { type RawBuilder, sql } from 'kysely'
import { INTEREST_PER_CENT } from '../../../core/interest.ts'
import type { Tx } from '../../../db/database.ts'
import { ofTenant } from '../../../db/sql/of-tenant.ts'
import type { TenantScope } from '../../../db/tenant-scope.ts'

export type DisagreementRow = {
  tenant_id: string
  facility_id: string
  balance: string
  asset: string
  stored: bigint
  recomputed: bigint
}

/** Undefined `tenantId`: the page's rows may be of several. */
export type LedgerPart = { within: RawBuilder<unknown>; tenantId: TenantScope; limit: number }

export async function selectDisagreements(tx: Tx, part?: LedgerPart): Promise<DisagreementRow[]> {
  // @across tenants: the audit reads all.
  // @plan reads everything: every balance is compared with the whole journal.
  const statement = sql`
    WITH ${part ? sql`${part.within},` : sql``} posting AS (
      SELECT j.tenant_id, j.facility_id, j.kind, chart_account(p.account, p.asset) AS account,
             p.asset, p.amount
      FROM journal j
      CROSS JOIN LATERAL unnest(j.accounts, j.assets, j.amounts) AS p (account, asset, amount)
    ), stored AS (
      SELECT tenant_id, facility_id, balance, asset, sum(units) AS units
      FROM (${stored}) AS one (tenant_id, facility_id, balance, asset, units) GROUP BY 1, 2, 3, 4
    ), recomputed AS (
      SELECT tenant_id, facility_id, balance, asset, sum(units) AS units
      FROM (${recomputed}) AS one (tenant_id, facility_id, balance, asset, units) GROUP BY 1, 2, 3, 4
    )
    SELECT tenant_id, facility_id, balance, asset,
           coalesce(stored.units, 0) AS stored, coalesce(recomputed.units, 0) AS recomputed
    FROM stored FULL JOIN recomputed USING (tenant_id, facility_id, balance, asset)
    WHERE coalesce(stored.units, 0) <> coalesce(recomputed.units, 0)
    ORDER BY 1, 2, 3, 4 LIMIT ${part?.limit ?? null}`
  const { rows } = await sql<DisagreementRow>`${ofTenant(tx, part?.tenantId, statement)}`.execute(
    tx,
  )
  return rows
}

const stored = sql`
  SELECT f.tenant_id, f.facility_id, b.balance, 'USD', b.units
  FROM facilities f CROSS JOIN LATERAL (VALUES
    ('principal', f.principal_cents),
    ('principal by its movements', f.principal_cents),
    ('interest to the millisecond', f.interest_numerator),
    ('interest booked', f.interest_booked_cents),
    ('interest income', f.interest_booked_cents),
    ('interest receivable', f.interest_booked_cents - f.interest_paid_cents),
    ('refund due', f.refund_due_cents),
    ('refunds under way', f.refund_due_cents),
    ('charged off principal', f.charged_off_principal_cents),
    ('charged off interest', f.charged_off_interest_cents),
    ('recovered', f.recovered_cents),
    ('reservations', f.reserved_cents)
  ) AS b (balance, units)
  UNION ALL
  SELECT tenant_id, facility_id, 'drawn', 'USD', debt_cents
  FROM draws WHERE status IN ('COMPLETED', 'RETURNED')
  UNION ALL
  SELECT tenant_id, facility_id, 'paid out for draws', asset, amount_units
  FROM draws WHERE status IN ('COMPLETED', 'RETURNED')
  UNION ALL
  SELECT r.tenant_id, r.facility_id, b.balance, 'USD', b.units
  FROM repayments r CROSS JOIN LATERAL (VALUES
    ('interest repaid', CASE WHEN r.is_recovery THEN 0 ELSE r.interest_cents END),
    ('principal repaid', CASE WHEN r.is_recovery THEN 0 ELSE r.principal_cents END),
    ('recovered by repayments', CASE WHEN r.is_recovery THEN r.interest_cents + r.principal_cents
                                     ELSE 0 END),
    ('delivered beyond the debt', r.refund_cents)
  ) AS b (balance, units) WHERE r.status IN ('APPLIED', 'REVERSED')
  UNION ALL
  -- A part of a receipt was received with the rest of it.
  SELECT tenant_id, facility_id, 'received', confirmed_asset, confirmed_units + suspended_units
  FROM repayments WHERE confirmed_units IS NOT NULL AND split_from IS NULL
  UNION ALL
  SELECT tenant_id, facility_id, 'suspense', confirmed_asset, -suspended_units
  FROM repayments WHERE suspended_units > 0 AND suspense_end IS NULL
  UNION ALL
  SELECT tenant_id, facility_id, 'suspense', asset, -amount_units
  FROM repayments WHERE split_from IS NOT NULL AND status = 'REPORTED'
  UNION ALL
  -- Its transfer was taken back, and a payment of it is recalled and not answered.
  SELECT x.tenant_id, x.facility_id, 'suspense', x.asset, x.amount_units
  FROM refunds x JOIN repayments r
    ON r.tenant_id = x.tenant_id AND r.repayment_id = split_part(x.source_id, '/', 1)
  WHERE x.status = 'PENDING' AND r.return_code IS NOT NULL
    AND (x.source_id LIKE '%/suspense%' OR r.failure_code = 'asset_mismatch')
  UNION ALL
  SELECT tenant_id, facility_id, 'refunds paid', asset, amount_units
  FROM refunds WHERE status IN ('PAID', 'RETURNED')
  UNION ALL
  SELECT tenant_id, facility_id, 'refunds in kind', asset, amount_units
  FROM refunds WHERE status = 'PENDING' AND cents = 0`

const recomputed = sql`
  SELECT tenant_id, facility_id, 'sum of all accounts', asset, amount FROM posting
  UNION ALL
  SELECT tenant_id, facility_id,
    CASE account
      WHEN 'loans_receivable' THEN 'principal'
      WHEN 'interest_receivable' THEN 'interest receivable'
      WHEN 'interest_income' THEN 'interest income'
      ELSE CASE WHEN asset = 'USD' THEN 'refund due' ELSE 'refunds in kind' END
    END,
    asset, CASE WHEN account IN ('loans_receivable', 'interest_receivable') THEN amount ELSE -amount END
  FROM posting
  WHERE account IN ('loans_receivable', 'interest_receivable', 'interest_income', 'refunds_payable')
  UNION ALL
  -- Proceeds and costs end at nothing with every entry: proceeds are applied, costs charged.
  SELECT tenant_id, facility_id, replace(account, '_', ' '), asset, amount
  FROM posting WHERE account IN ('collateral_proceeds', 'sale_costs', 'suspense')
  UNION ALL
  SELECT tenant_id, facility_id, 'wallet at par', 'USDC',
    CASE asset WHEN 'USD' THEN amount * 10000 ELSE amount END
  FROM posting WHERE account = 'wallet_at_par'
  UNION ALL
  SELECT tenant_id, facility_id, 'drawn', asset, amount
  FROM posting WHERE kind = 'draw' AND account = 'loans_receivable'
  UNION ALL
  SELECT tenant_id, facility_id, 'paid out for draws', asset, -amount
  FROM posting WHERE kind = 'draw' AND account IN ('bank', 'wallet')
  UNION ALL
  SELECT tenant_id, facility_id,
    CASE account WHEN 'interest_receivable' THEN 'interest repaid'
                 WHEN 'loans_receivable' THEN 'principal repaid'
                 ELSE 'delivered beyond the debt' END,
    asset, -amount
  FROM posting
  WHERE kind = 'repayment' AND account IN ('interest_receivable', 'loans_receivable', 'refunds_payable')
  UNION ALL
  SELECT tenant_id, facility_id, 'delivered beyond the debt', asset, -amount
  FROM posting WHERE kind = 'recovery' AND account = 'refunds_payable'
  UNION ALL
  SELECT tenant_id, facility_id,
    CASE account WHEN 'loans_receivable' THEN 'charged off principal' ELSE 'charged off interest' END,
    asset, -amount
  FROM posting
  WHERE kind IN ('charge_off', 'charge_off_correction') AND account IN ('loans_receivable', 'interest_receivable')
  UNION ALL
  SELECT tenant_id, facility_id, 'recovered', asset, -amount
  FROM posting WHERE account = 'recoveries'
  UNION ALL
  SELECT tenant_id, facility_id, 'recovered by repayments', asset, -amount
  FROM posting WHERE kind = 'recovery' AND account = 'recoveries'
  UNION ALL
  SELECT tenant_id, facility_id, 'received', asset, amount
  FROM posting WHERE kind IN ('repayment', 'recovery', 'misdelivery', 'suspense')
    AND account IN ('bank', 'wallet')
  UNION ALL
  SELECT tenant_id, facility_id, 'refunds paid', asset, -amount
  FROM posting WHERE kind = 'refund' AND account IN ('bank', 'wallet')
  UNION ALL
  SELECT tenant_id, facility_id, 'refunds under way', 'USD', cents - taken_cents
  FROM refunds WHERE status = 'PENDING'
  UNION ALL
  SELECT tenant_id, facility_id, 'reservations', 'USD', debt_cents
  FROM draws WHERE status = 'PENDING'
  UNION ALL
  SELECT tenant_id, facility_id, 'principal by its movements', 'USD', delta_cents
  FROM principal_movements
  UNION ALL
  SELECT f.tenant_id, f.facility_id, 'interest to the millisecond', 'USD',
    m.delta_cents * (f.rate_ppm * round(1000 * extract(epoch FROM f.accrued_at - m.effective_at))
      + CASE f.earlier_rates WHEN '[]' THEN 0 ELSE (
        SELECT sum((r.ppm - r.next_ppm)
          * greatest(0, round(1000 * extract(epoch FROM r.until - m.effective_at))))
        FROM (
          SELECT (e.rate ->> 'rate_ppm')::numeric AS ppm, (e.rate ->> 'until')::timestamptz AS until,
            lead((e.rate ->> 'rate_ppm')::numeric, 1, f.rate_ppm::numeric) OVER (ORDER BY e.number)
              AS next_ppm
          FROM jsonb_array_elements(f.earlier_rates) WITH ORDINALITY AS e (rate, number)) r) END)
  FROM facilities f JOIN principal_movements m USING (tenant_id, facility_id)
  UNION ALL
  SELECT tenant_id, facility_id, 'interest booked', 'USD',
    div(interest_numerator + ${sql.lit(String(INTEREST_PER_CENT - 1n))}::numeric,
        ${sql.lit(String(INTEREST_PER_CENT))}::numeric)
  FROM facilities`
