import { type RawBuilder, sql } from 'kysely'
import { LARGEST_LTV_PPM } from '../../../core/ratio.ts'
import type { Pass } from '../stress/book-terms.ts'
import { column, ONE, valuesAt, whole } from '../stress/outcome-queries.ts'
import type { AssetTerms } from '../stress/rates.ts'

/** Approved facilities, as /v1 shows each: no other lends, so no other owes. */
export function bookFacts(passes: readonly Pass[]): RawBuilder<unknown> {
  const assets = assetsOf(passes)
  return sql.join(
    passes.map((pass) => factsOf(pass, assets)),
    sql` UNION ALL `,
  )
}

/** By code: each pass has them in the order of its haircuts. */
export function assetsOf(passes: readonly Pass[]): AssetTerms[] {
  const all = passes.flatMap(({ terms }) => terms.assets)
  const byCode = new Map(all.map((one) => [one.asset, one]))
  return [...byCode.values()].sort((a, b) => (a.asset < b.asset ? -1 : 1))
}

function factsOf({ markets, terms }: Pass, assets: readonly AssetTerms[]): RawBuilder<unknown> {
  const named = new Set(terms.assets.map(({ asset }) => asset))
  const columns = assets.flatMap((asset) =>
    named.has(asset.asset)
      ? [column('units', asset), column('value', asset)]
      : [
          sql`0::numeric AS ${column('units', asset)}`,
          sql`NULL::numeric AS ${column('value', asset)}`,
        ],
  )
  const limits = sql`, f.borrower_id, f.state, f.limit_cents, f.principal_cents, f.reserved_cents,
      f.interest_paid_cents, w.number AS warning_number, w.cure_deadline,
      l.number AS call_number`
  return sql`
    SELECT v.tenant_id, v.facility_id, v.borrower_id, v.state, v.debt, v.value, v.is_stale,
      v.warned_tier, v.warning_number, v.cure_deadline, v.in_call, v.call_number,
      b.residency_country AS country, b.blocked_at IS NOT NULL AS is_blocked,
      v.limit_cents AS credit_limit, v.principal_cents AS principal, v.reserved_cents AS reserved,
      greatest(0, v.limit_cents - v.principal_cents - v.reserved_cents) AS undrawn,
      v.interest_paid_cents + v.debt - v.principal_cents AS earned,
      ${sql.join(columns)},
      CASE WHEN v.debt = 0 THEN 0 WHEN v.value = 0 THEN ${whole(LARGEST_LTV_PPM)}
        ELSE least(${whole(LARGEST_LTV_PPM)}, div(v.debt * ${ONE} + v.value - 1, v.value)) END AS ltv_ppm,
      0::numeric AS charged_off, 0::numeric AS recovered
    FROM (${valuesAt(markets, terms, sql`true`, limits)}) v
    JOIN borrowers b ON b.tenant_id = v.tenant_id AND b.borrower_id = v.borrower_id`
}
