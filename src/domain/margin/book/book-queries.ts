import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'
import type { Pass } from '../stress/book-terms.ts'
import { column, STAGE, whole } from '../stress/outcome-queries.ts'
import type { AssetTerms } from '../stress/rates.ts'
import { assetsOf, bookFacts } from './fact-queries.ts'

/** Sums as whole numbers in text, as all of a JSON answer. */
export type TenantSums = Record<(typeof SUM_NAMES)[number], string> & {
  tenantId: string
  /** By asset, of facilities that owe. */
  assets: Record<string, Record<(typeof ASSET_SUMS)[number], string>>
}

export type BookPart = {
  by: 'country' | 'tier' | 'band'
  /** Null: no warning is open. */
  key: string | null
  /** Those that owe. */
  facilities: number
  warned: number
  debt: string
  value: string
}

export type LargeDebt = {
  tenantId: string
  borrowerId: string
  facilityId: string
  country: string
  debt: string
  ltvPpm: string
}

/** Facilities that no longer lend, by tenant. */
export type EndedSums = {
  tenantId: string
  earned: string
  chargedOff: number
  chargedOffCents: string
  recovered: string
}

export type BookSums = {
  tenants: TenantSums[]
  parts: BookPart[]
  largest: LargeDebt[]
  ended: EndedSums[]
}

const SUM_NAMES = [
  ...(['approved', 'limit', 'reserved', 'undrawn', 'blockedUndrawn'] as const),
  ...(['indebted', 'debt', 'principal', 'value', 'weightedDebt', 'weighted', 'earned'] as const),
  ...(['stale', 'staleDebt', 'warned', 'warnedDebt', 'called', 'calledDebt'] as const),
  ...(['short', 'shortDebt', 'deficit'] as const),
]

const ASSET_SUMS = ['holders', 'units', 'value'] as const

/** `bandsPpm` are ascending: a facility is in the band of as many as its ratio is above. */
export async function sumBook(
  db: Db,
  passes: readonly Pass[],
  { bandsPpm, largest }: { bandsPpm: readonly bigint[]; largest: number },
): Promise<BookSums> {
  // @across tenants: the operator’s book of all.
  const tenantIds = (passes[0]?.markets ?? []).map(({ tenantId }) => tenantId)
  const above = bandsPpm.map((line) => sql`(ltv_ppm > ${whole(line)})::int`)
  const sums = SUM_NAMES.map((name) => sql`${sql.lit(name)}, (${SUMS[name]})::text`)
  // @plan reads facilities, borrowers, portfolios, custodian_positions: every debt is valued.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: those of now.
  const rows = await execute(
    db,
    unprepared(sql<BookSums>`
    WITH facts AS MATERIALIZED (${bookFacts(passes)})
    SELECT
      (SELECT coalesce(jsonb_agg(sums), '[]') FROM (
        SELECT jsonb_build_object('tenantId', tenant_id, ${sql.join(sums)}, 'assets',
          jsonb_build_object(${sql.join(assetsOf(passes).map(assetSums))})) AS sums
        FROM facts GROUP BY tenant_id) grouped) AS tenants,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('by', by, 'key', key,
          'facilities', facilities, 'warned', warned, 'debt', debt::text,
          'value', value::text)), '[]')
        FROM (SELECT CASE WHEN grouping(country) = 0 THEN 'country'
              WHEN grouping(tier) = 0 THEN 'tier' ELSE 'band' END AS by,
            coalesce(country, tier::text, band::text) AS key, ${count(owes)} AS facilities,
            count(tier) AS warned, sum(debt) AS debt, ${sumIf(sql`value`, owes)} AS value
          FROM (SELECT country, warned_tier AS tier, ${sql.join(above, sql` + `)} AS band, debt, value
            FROM facts WHERE debt > 0 OR warned_tier IS NOT NULL ${STAGE}) counted
          GROUP BY GROUPING SETS ((country), (tier), (band))) grouped) AS parts,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('tenantId', tenant_id,
          'borrowerId', borrower_id, 'facilityId', facility_id, 'country', country,
          'debt', debt::text, 'ltvPpm', ltv_ppm::text)
          ORDER BY debt DESC, tenant_id DESC, facility_id DESC), '[]')
        FROM (SELECT * FROM facts WHERE debt > 0
          ORDER BY debt DESC, tenant_id DESC, facility_id DESC LIMIT ${largest}) large) AS largest,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('tenantId', tenant_id, 'earned', earned::text,
          'chargedOff', charged_off, 'chargedOffCents', cents::text,
          'recovered', recovered::text)), '[]')
        FROM (SELECT tenant_id, sum(interest_paid_cents) AS earned,
            count(*) FILTER (WHERE close_reason = 'charged_off') AS charged_off,
            sum(charged_off_principal_cents + charged_off_interest_cents) AS cents,
            sum(recovered_cents) AS recovered
          FROM facilities
          WHERE state IN ('CLOSING', 'CLOSED') AND tenant_id = ANY (${tenantIds}::text[])
          GROUP BY 1) past) AS ended`),
  )
  return rows[0] ?? { tenants: [], parts: [], largest: [], ended: [] }
}

const count = (condition: RawBuilder<unknown>) => sql`count(*) FILTER (WHERE ${condition})`
const sumIf = (of: RawBuilder<unknown>, condition: RawBuilder<unknown>) =>
  sql`coalesce(sum(${of}) FILTER (WHERE ${condition}), 0)`

const debt = sql`debt`
const owes = sql`debt > 0`
const isShort = sql`debt > value`
const isWarned = sql`warned_tier IS NOT NULL`
const isStale = sql`debt > 0 AND is_stale`
const hasRatio = sql`debt > 0 AND value > 0`

const SUMS: Record<(typeof SUM_NAMES)[number], RawBuilder<unknown>> = {
  approved: sql`count(*)`,
  limit: sql`sum(credit_limit)`,
  reserved: sql`sum(reserved)`,
  undrawn: sql`sum(undrawn)`,
  blockedUndrawn: sumIf(sql`undrawn`, sql`is_blocked`),
  indebted: count(owes),
  debt: sql`sum(debt)`,
  principal: sql`sum(principal)`,
  value: sumIf(sql`value`, owes),
  weightedDebt: sumIf(debt, hasRatio),
  weighted: sumIf(sql`debt * ltv_ppm`, hasRatio),
  earned: sql`sum(earned)`,
  stale: count(isStale),
  staleDebt: sumIf(debt, isStale),
  warned: count(isWarned),
  warnedDebt: sumIf(debt, isWarned),
  called: count(sql`in_call`),
  calledDebt: sumIf(debt, sql`in_call`),
  short: count(isShort),
  shortDebt: sumIf(debt, isShort),
  deficit: sumIf(sql`debt - value`, isShort),
}

function assetSums(asset: AssetTerms): RawBuilder<unknown> {
  const [units, value] = [column('units', asset), column('value', asset)]
  return sql`${sql.lit(asset.asset)}, jsonb_build_object(
      'holders', (${count(sql`debt > 0 AND ${units} > 0`)})::text,
      'units', ${sumIf(units, owes)}::text, 'value', ${sumIf(value, owes)}::text)`
}
