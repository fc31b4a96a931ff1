import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { column, outcomesAt, STAGE } from './outcome-queries.ts'
import type { MarketRates, PassTerms } from './rates.ts'
import type { FacilityRow, GroupRow, SaleRow } from './rows.ts'
import { withSales } from './sale-queries.ts'

export async function sumOutcomes(
  db: Db,
  markets: readonly MarketRates[],
  terms: PassTerms,
): Promise<GroupRow[]> {
  const sums = (what: string) => byAsset(what, terms, (of) => sql`sum(${of})`)
  // @plan reads facilities, portfolios, custodian_positions: all are valued at other prices.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: those of now.
  const { rows } = await sql<GroupRow>`
    SELECT tenant_id AS "tenantId", ${mainAsset(terms)} AS asset, outcome, warned_tier AS "warnedTier", tier,
      count(*)::int AS facilities, sum(debt) AS debt, sum(value) AS value,
      sum(deficit) AS deficit, (count(*) FILTER (WHERE deficit > 0))::int AS deficits,
      ${sums('sold')} AS sold, ${sums('gross')} AS gross, ${sums('cost')} AS costs
    FROM (${soldBook(markets, terms)}) book
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`.execute(db)
  return rows
}

export async function selectOutcomes(
  db: Db,
  markets: readonly MarketRates[],
  terms: PassTerms,
): Promise<(FacilityRow & SaleRow)[]> {
  const each = (what: string) => byAsset(what, terms, (of) => of)
  // @plan reads facilities, portfolios, custodian_positions: all are valued at other prices.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: those of now.
  const { rows } = await sql<FacilityRow & SaleRow>`
    SELECT tenant_id AS "tenantId", facility_id AS "facilityId", outcome,
      warned_tier AS "warnedTier", tier, debt, value, deficit,
      ${each('sold')} AS sold, ${each('gross')} AS gross, ${each('cost')} AS costs
    FROM (${soldBook(markets, terms)}) book`.execute(db)
  return rows
}

function soldBook(markets: readonly MarketRates[], terms: PassTerms): RawBuilder<unknown> {
  const isSold = sql<boolean>`outcome IN ('warned', 'held', 'overdue', 'critical', 'called')`
  return withSales(sql`${outcomesAt(markets, terms)} ${STAGE}`, isSold, terms)
}

function mainAsset({ assets }: PassTerms): RawBuilder<string> {
  const most = sql`greatest(${sql.join(assets.map((asset) => sql`${column('value', asset)}`))})`
  const choices = assets.map(
    (asset) => sql`WHEN ${column('value', asset)} = ${most} THEN ${sql.lit(asset.asset)}`,
  )
  return sql`CASE WHEN value = 0 THEN NULL ${sql.join(choices, sql` `)} END`
}

function byAsset(
  what: string,
  { assets }: PassTerms,
  toSql: (of: RawBuilder<bigint>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const entries = assets.map(
    (asset) => sql`${sql.lit(asset.asset)}, (${toSql(column(what, asset))})::text`,
  )
  return sql`jsonb_build_object(${sql.join(entries)})`
}
