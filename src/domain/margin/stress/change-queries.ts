import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Pass } from './book-terms.ts'
import { outcomesAt, STAGE } from './outcome-queries.ts'
import type { ChangedFacility, ChangeGroup } from './rows.ts'

/** In groups, and of those newly warned or sold the `limit` of the highest ratio; of all facilities of the
 * passes, or of some. */
export async function selectChanges(
  db: Db,
  before: readonly Pass[],
  after: readonly Pass[],
  { limit, facilityIds }: { limit: number; facilityIds?: readonly string[] | undefined },
): Promise<{ groups: ChangeGroup[]; facilities: ChangedFacility[] }> {
  const change = sql`'tenantId', tenant_id, 'before', before, 'beforeTier', before_tier,
        'outcome', outcome, 'tier', tier`
  // @plan reads facilities, portfolios, custodian_positions: all are valued on other terms.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: those of now.
  const { rows } = await sql<{ groups: ChangeGroup[]; facilities: ChangedFacility[] }>`
    WITH changes AS MATERIALIZED (
      SELECT one.tenant_id, one.facility_id, other.outcome AS before,
        other.tier AS before_tier, one.outcome, one.tier, one.debt, one.value
      FROM (${openTiers(after)} ${STAGE}) one
      JOIN (${openTiers(before)} ${STAGE}) other
        ON other.tenant_id = one.tenant_id AND other.facility_id = one.facility_id
      WHERE (one.outcome, one.tier) IS DISTINCT FROM (other.outcome, other.tier)
        AND ${among(facilityIds)})
    SELECT
      (SELECT coalesce(jsonb_agg(jsonb_build_object(${change},
          'facilities', facilities, 'debt', debt::text)), '[]')
        FROM (SELECT tenant_id, before, before_tier, outcome, tier, count(*) AS facilities,
            sum(debt) AS debt
          FROM changes GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5) grouped) AS groups,
      (SELECT coalesce(jsonb_agg(jsonb_build_object(${change}, 'facilityId', facility_id,
          'debt', debt::text, 'value', value::text)), '[]')
        FROM (SELECT * FROM changes WHERE outcome IN ('warned', 'held', 'overdue', 'critical')
          ORDER BY CASE WHEN value > 0 THEN debt / value END DESC, tenant_id, facility_id
          LIMIT ${limit}) worst) AS facilities`.execute(db)
  return rows[0] ?? { groups: [], facilities: [] }
}

const among = (facilityIds: readonly string[] | undefined) =>
  facilityIds === undefined ? sql`true` : sql`one.facility_id = ANY(${facilityIds}::text[])`

function openTiers(passes: readonly Pass[]): RawBuilder<unknown> {
  const each = passes.map(
    ({ markets, terms }) => sql`SELECT tenant_id, facility_id, outcome, debt, value,
        CASE WHEN outcome IN ('warned', 'held') THEN tier END AS tier
      FROM (${outcomesAt(markets, terms)}) decided`,
  )
  return sql`SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) decided`
}
