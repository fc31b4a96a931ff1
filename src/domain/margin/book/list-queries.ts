import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { FacilityState } from '../../../db/schema/facilities.ts'
import { execute, unprepared } from '../../../db/transactions/execute.ts'
import type { Tier } from '../policy.ts'
import type { Pass } from '../stress/book-terms.ts'
import { column, whole } from '../stress/outcome-queries.ts'
import type { AssetTerms } from '../stress/rates.ts'
import { assetsOf, bookFacts } from './fact-queries.ts'
import type { BookFigure } from './figures.ts'

export type BookFilter = {
  figure: BookFigure
  borrowerId?: string | undefined
  country?: string | undefined
  asset?: string | undefined
  tier?: Tier | undefined
  /** Parts per million: above the one, not above the other. */
  aboveLtvPpm?: bigint | undefined
  toLtvPpm?: bigint | undefined
}

/** Amounts and ratios as whole numbers in text. */
export type ListedRow = {
  tenantId: string
  facilityId: string
  borrowerId: string
  state: FacilityState
  country: string
  isBlocked: boolean
  limit: string
  undrawn: string
  debt: string
  value: string
  ltvPpm: string
  isStale: boolean
  warning: { number: number; tier: Tier; cureDeadline: string } | null
  callNumber: number | null
  earned: string
  chargedOff: string
  recovered: string
  /** What it adds to the figure. */
  amount: string
}

export type Position = { amount: bigint; tenantId: string; facilityId: string }

export type BookStretch = { after: Position | undefined; limit: number }

export type ListedRows = { facilities: number; amount: string; items: ListedRow[] }

/** Largest amount first, with the sum over all of the list. */
export async function selectListed(
  db: Db,
  passes: readonly Pass[],
  filter: BookFilter,
  { after, limit }: BookStretch,
): Promise<ListedRows> {
  // @across tenants: the operator’s book of all.
  const assets = assetsOf(passes)
  const { isIn, amount } = figureOf(filter, assets)
  const rest = after
    ? sql`(amount, tenant_id, facility_id)
        < (${whole(after.amount)}, ${after.tenantId}, ${after.facilityId})`
    : sql`true`
  // @plan reads facilities, borrowers, portfolios, custodian_positions: every debt is valued.
  // @plan reads margin_warnings, facility_pauses, margin_calls, margin_sales, repayments: those of now.
  const rows = await execute(
    db,
    unprepared(sql<ListedRows>`
    WITH listed AS MATERIALIZED (
      SELECT *, ${amount} AS amount FROM (${factsFor(filter, passes)}) facts
      WHERE ${sql.join([isIn, ...narrowed(filter, assets)], sql` AND `)})
    SELECT (SELECT count(*)::int FROM listed) AS facilities,
      (SELECT coalesce(sum(amount), 0)::text FROM listed) AS amount,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('tenantId', tenant_id,
          'facilityId', facility_id, 'borrowerId', borrower_id, 'state', state,
          'country', country, 'isBlocked', is_blocked, 'limit', credit_limit::text,
          'undrawn', undrawn::text, 'debt', debt::text, 'value', value::text,
          'ltvPpm', ltv_ppm::text, 'isStale', is_stale, 'warning',
          CASE WHEN warned_tier IS NOT NULL THEN jsonb_build_object('number', warning_number,
            'tier', warned_tier, 'cureDeadline', cure_deadline) END, 'callNumber', call_number,
          'earned', earned::text, 'chargedOff', charged_off::text,
          'recovered', recovered::text, 'amount', amount::text)
          ORDER BY amount DESC, tenant_id DESC, facility_id DESC), '[]')
        FROM (SELECT * FROM listed WHERE ${rest}
          ORDER BY amount DESC, tenant_id DESC, facility_id DESC LIMIT ${limit}) page) AS items`),
  )
  return rows[0] ?? { facilities: 0, amount: '0', items: [] }
}

type Figure = { isIn: RawBuilder<boolean>; amount: RawBuilder<bigint> }

const owes = sql<boolean>`debt > 0`
const debt = sql<bigint>`debt`

const FIGURES: Record<BookFigure, Figure> = {
  exposure: { isIn: owes, amount: debt },
  collateral: { isIn: owes, amount: sql`value` },
  commitments: { isIn: sql`true`, amount: sql`undrawn` },
  warnings: { isIn: sql`warned_tier IS NOT NULL`, amount: debt },
  margin_calls: { isIn: sql`in_call`, amount: debt },
  deficits: { isIn: sql`debt > value`, amount: sql`debt - value` },
  stale: { isIn: sql`is_stale AND ${owes}`, amount: debt },
  interest: { isIn: sql`earned > 0`, amount: sql`earned` },
  charged_off: { isIn: sql`charged_off > 0`, amount: sql`charged_off` },
}

function figureOf({ figure, asset }: BookFilter, assets: readonly AssetTerms[]): Figure {
  const one = assets.find((known) => known.asset === asset)
  if (figure !== 'collateral' || !one) return FIGURES[figure]
  return { isIn: owes, amount: sql`coalesce(${column('value', one)}, 0)` }
}

function narrowed(
  { borrowerId, country, asset, tier, aboveLtvPpm, toLtvPpm }: BookFilter,
  assets: readonly AssetTerms[],
): RawBuilder<boolean>[] {
  return [
    ...(borrowerId === undefined ? [] : [sql<boolean>`borrower_id = ${borrowerId}`]),
    ...(country === undefined ? [] : [sql<boolean>`country = ${country}`]),
    ...(tier === undefined ? [] : [sql<boolean>`warned_tier = ${tier}`]),
    ...(asset === undefined ? [] : [holds(assets, asset)]),
    ...(aboveLtvPpm === undefined ? [] : [sql<boolean>`ltv_ppm > ${whole(aboveLtvPpm)}`]),
    ...(toLtvPpm === undefined ? [] : [sql<boolean>`ltv_ppm <= ${whole(toLtvPpm)}`]),
  ]
}

/** No version that a facility is bound to may name it. */
function holds(assets: readonly AssetTerms[], asset: string): RawBuilder<boolean> {
  const one = assets.find((known) => known.asset === asset)
  return one ? sql`${column('units', one)} > 0` : sql`false`
}

/** With those that have ended, where the figure has something of them. */
function factsFor(
  { figure, asset, tier, aboveLtvPpm, toLtvPpm }: BookFilter,
  passes: readonly Pass[],
): RawBuilder<unknown> {
  const assets = assetsOf(passes)
  const facts = sql`SELECT ${COLUMNS}, ${unitColumns(assets)} FROM (${bookFacts(passes)}) live`
  const isOfLiving = [asset, tier, aboveLtvPpm, toLtvPpm].some((given) => given !== undefined)
  const hasEnded = (figure === 'interest' || figure === 'charged_off') && !isOfLiving
  if (!hasEnded) return facts
  const tenantIds = (passes[0]?.markets ?? []).map(({ tenantId }) => tenantId)
  const nothing = assets.flatMap(() => [sql`0::numeric`, sql`0::numeric`])
  return sql`${facts} UNION ALL
      SELECT f.tenant_id, f.facility_id, f.borrower_id, f.state, b.residency_country,
        b.blocked_at IS NOT NULL, f.limit_cents, 0, 0, 0, 0, false, NULL, NULL, NULL, false, NULL,
        f.interest_paid_cents, f.charged_off_principal_cents + f.charged_off_interest_cents,
        f.recovered_cents, ${sql.join(nothing)}
      FROM facilities f
      JOIN borrowers b ON b.tenant_id = f.tenant_id AND b.borrower_id = f.borrower_id
      WHERE f.state IN ('CLOSING', 'CLOSED') AND f.tenant_id = ANY (${tenantIds}::text[])`
}

const COLUMNS = sql`tenant_id, facility_id, borrower_id, state, country, is_blocked, credit_limit,
        undrawn, debt, value, ltv_ppm, is_stale, warned_tier, warning_number, cure_deadline, in_call,
        call_number, earned, charged_off, recovered`

function unitColumns(assets: readonly AssetTerms[]): RawBuilder<unknown> {
  return sql.join(assets.flatMap((asset) => [column('units', asset), column('value', asset)]))
}
