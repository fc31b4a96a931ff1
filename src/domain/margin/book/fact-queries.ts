import { type RawBuilder, sql } from 'kysely'
import { LARGEST_LTV_PPM } from '../../../core/ratio.ts'
import { column, ONE, valuesAt, whole } from '../stress/outcome-queries.ts'
import type { MarketRates, PassTerms } from '../stress/rates.ts'

/** Approved facilities, as /v1 shows each: no other lends, so no other owes. */
export function bookFacts(
  markets: readonly MarketRates[],
  terms: PassTerms,
  isWanted: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
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
      ${sql.join(terms.assets.flatMap((asset) => [column('units', asset), column('value', asset)]))},
      CASE WHEN v.debt = 0 THEN 0 WHEN v.value = 0 THEN ${whole(LARGEST_LTV_PPM)}
        ELSE least(${whole(LARGEST_LTV_PPM)}, div(v.debt * ${ONE} + v.value - 1, v.value)) END AS ltv_ppm,
      0::numeric AS charged_off, 0::numeric AS recovered
    FROM (${valuesAt(markets, terms, isWanted, limits)}) v
    JOIN borrowers b ON b.tenant_id = v.tenant_id AND b.borrower_id = v.borrower_id`
}
