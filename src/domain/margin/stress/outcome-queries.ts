import { type RawBuilder, sql } from 'kysely'
import { INTEREST_PER_CENT } from '../../../core/interest.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import { inScope, scopeOf, type TenantScope } from '../../../db/tenant-scope.ts'
import type { AssetTerms, MarketRates, PassTerms } from './rates.ts'

const STALE_SHARE_DIVISOR = 100n

export function whole(value: bigint): RawBuilder<bigint> {
  return sql`${sql.lit(String(value))}::numeric`
}

export function column(what: string, { asset }: AssetTerms): RawBuilder<bigint> {
  return sql.ref(`${what}_${asset.toLowerCase()}`)
}

export const ONE = whole(ONE_PPM)

/** Computes a subquery first. A plain 0 would keep the planner from parallel workers. */
export const STAGE = sql`OFFSET bigint '0'`

/** Proceeds of a sale, in cents, after its costs. */
export function kept(cents: RawBuilder<unknown>, { keptPpm }: AssetTerms): RawBuilder<bigint> {
  return sql`trunc(${cents} * ${whole(keptPpm)} * 0.000001)`
}

/** As hasSellable: while a cent is left after costs. */
export function isSellable(asset: AssetTerms): RawBuilder<boolean> {
  const market = sql`trunc(${column('units', asset)} * ${column('market', asset)})`
  return sql`coalesce(${kept(market, asset)} > 0, false)`
}

/** As ladder.ts where the highest, lowest and latest value are one. */
export function outcomesAt(markets: readonly MarketRates[], terms: PassTerms): RawBuilder<unknown> {
  const [cure, least] = [whole(terms.cureLtvPpm), whole(terms.leastCents)]
  return sql`
    SELECT *, greatest(warned_tier, reached_tier) AS tier,
      CASE
        WHEN in_call THEN CASE WHEN is_stale THEN 'stale' ELSE 'called' END
        WHEN warned_tier IS NULL THEN CASE
          WHEN is_stale THEN 'stale'
          WHEN debt < ${least} THEN 'clear'
          WHEN NOT (${sql.join(terms.assets.map(isSellable), sql` OR `)}) THEN 'unsecured'
          WHEN reached_tier IS NULL THEN 'clear'
          WHEN is_critical AND NOT on_hold THEN 'critical'
          ELSE 'warned' END
        WHEN debt = 0 THEN 'cured'
        WHEN is_stale THEN 'stale'
        WHEN value * ${cure} >= debt * ${ONE} THEN 'cured'
        WHEN is_critical AND NOT on_hold THEN 'critical'
        WHEN now <= window_deadline THEN 'warned'
        WHEN holds AND value * ${cure} >= greatest(0, debt - claimed) * ${ONE} THEN 'held'
        ELSE 'overdue' END AS outcome
    FROM (
      SELECT *, ${exceeds(terms.criticalLtvPpm)} AS is_critical, ${reachedTier(terms)} AS reached_tier
      FROM (${valuesAt(markets, terms, EVALUATED)}) valued ${STAGE}) placed`
}

function reachedTier({ tiers, floorLtvPpm, criticalLtvPpm }: PassTerms): RawBuilder<number> {
  const exceeded = tiers
    .toReversed()
    .map(({ tier, aboveLtvPpm }) => sql`WHEN ${exceeds(aboveLtvPpm)} THEN ${sql.lit(tier)}`)
  return sql`CASE WHEN ${exceeds(criticalLtvPpm)} THEN 3 WHEN ${exceeds(floorLtvPpm)} THEN
        CASE ${sql.join(exceeded, sql` `)} ELSE 1 END END`
}

function exceeds(linePpm: bigint): RawBuilder<boolean> {
  return sql`debt * ${ONE} > value * ${whole(linePpm)}`
}

const EVALUATED = sql<boolean>`debt > 0 OR in_call OR warned_tier IS NOT NULL`

/** `value`, and whether too much of it is at old prices, as window-values.ts. `alsoShown` are columns
 * of the facility `f`, after a comma. */
export function valuesAt(
  markets: readonly MarketRates[],
  terms: PassTerms,
  isWanted: RawBuilder<boolean>,
  alsoShown: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const { assets } = terms
  const each = (toSql: (asset: AssetTerms) => RawBuilder<unknown>, by = sql`, `) =>
    sql.join(assets.map(toSql), by)
  const values = each((asset) => sql`coalesce(${column('value', asset)}, 0)`, sql` + `)
  return sql`
    SELECT *, ${values} AS value,
      ${each((asset) => (asset.countedPpm > 0n ? sql`(${column('units', asset)} > 0 AND ${column('price', asset)} IS NULL)` : sql`false`), sql` OR `)}
      OR ${each((asset) => sql`CASE WHEN ${column('old', asset)} THEN coalesce(${column('value', asset)}, 0) ELSE 0 END`, sql` + `)}
        > div(${values} + ${whole(STALE_SHARE_DIVISOR - 1n)}, ${whole(STALE_SHARE_DIVISOR)}) AS is_stale
    FROM (
      SELECT *, ${each((asset) => sql`trunc(${column('units', asset)} * ${column('counted', asset)}) AS ${column('value', asset)}`)}
      FROM (${bookAt(markets, terms, alsoShown)}) book
      WHERE ${isWanted} ${STAGE}) held`
}

/** Approved facilities with debt, counted units, warning, call and reported cures of this instant. */
function bookAt(
  markets: readonly MarketRates[],
  terms: PassTerms,
  alsoShown: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { assets } = terms
  const scope = scopeOf(markets)
  const units = assets.map((asset) => sql`${countedUnits(asset)} AS ${column('units', asset)}`)
  const rates = assets.flatMap((asset) =>
    ['counted', 'market', 'price', 'old'].map((what) => column(what, asset)),
  )
  const debt = sql`f.principal_cents + greatest(0, div(
        f.interest_numerator + f.principal_cents * f.rate_ppm
          * greatest(0, extract(epoch FROM m.now - f.accrued_at) * 1000)
        + ${whole(INTEREST_PER_CENT - 1n)}, ${whole(INTEREST_PER_CENT)}) - f.interest_paid_cents)`
  return sql`
    SELECT f.tenant_id, f.facility_id, m.now, ${debt} AS debt, ${sql.join(units)},
      ${sql.join(rates)}, w.tier AS warned_tier,
      w.window_deadline, f.held_since IS NOT NULL AS on_hold,
      l.facility_id IS NOT NULL AS in_call, r.facility_id IS NOT NULL AS holds,
      coalesce(r.claimed, 0) AS claimed ${alsoShown}
    FROM facilities f
    JOIN (${marketRows(markets, terms)}) m ON m.tenant_id = f.tenant_id
    LEFT JOIN portfolios p ON p.tenant_id = f.tenant_id AND p.borrower_id = f.borrower_id
    LEFT JOIN custodian_positions c ON c.tenant_id = f.tenant_id AND c.borrower_id = f.borrower_id
    LEFT JOIN (${soldSince(assets, scope)}) s
      ON s.tenant_id = f.tenant_id AND s.borrower_id = f.borrower_id
    LEFT JOIN (${openWarnings(markets, terms)}) w
      ON w.tenant_id = f.tenant_id AND w.facility_id = f.facility_id
    LEFT JOIN margin_calls l ON l.tenant_id = f.tenant_id AND l.facility_id = f.facility_id
      AND l.status IN ('PENDING', 'SELLING')
    LEFT JOIN (${reportedCures(markets, terms)}) r
      ON r.tenant_id = f.tenant_id AND r.facility_id = f.facility_id
    WHERE f.state = 'APPROVED' AND ${inScope(scope, 'f.tenant_id')} AND ${isBound(terms)} ${STAGE}`
}

function isBound({ bound }: PassTerms): RawBuilder<boolean> {
  if (!bound) return sql`true`
  const isOwn = sql<boolean>`f.terms_version = ${sql.lit(bound.version)}`
  // In two parts, which the planner can count.
  return bound.version === bound.inForce ? sql`(${isOwn} OR f.terms_version IS NULL)` : isOwn
}

function marketRows(markets: readonly MarketRates[], { assets }: PassTerms): RawBuilder<unknown> {
  const columns = assets.flatMap((asset) => {
    const rates = markets.map(({ rateOf }) => rateOf.get(asset.asset))
    return [
      { name: column('counted', asset), values: rates.map((rate) => rate?.countedCents ?? null) },
      { name: column('market', asset), values: rates.map((rate) => rate?.marketCents ?? null) },
      { name: column('price', asset), values: rates.map((rate) => rate?.price ?? null) },
    ]
  })
  const olds = assets.map((asset) => ({
    name: column('old', asset),
    values: markets.map(({ rateOf }) => rateOf.get(asset.asset)?.isOld ?? true),
  }))
  return sql`SELECT * FROM unnest(
      ${markets.map(({ tenantId }) => tenantId)}::text[],
      ${markets.map(({ now }) => now)}::timestamptz[],
      ${sql.join(columns.map(({ values }) => sql`${values}::numeric[]`))},
      ${sql.join(olds.map(({ values }) => sql`${values}::boolean[]`))}
    ) AS m (tenant_id, now, ${sql.join(columns.map(({ name }) => name))},
            ${sql.join(olds.map(({ name }) => name))})`
}

/** By what is pushed, read and confirmed, each less what was sold since: as position-sources.ts. */
function countedUnits(asset: AssetTerms): RawBuilder<bigint> {
  const left = (positions: RawBuilder<unknown>, sold: RawBuilder<unknown>) =>
    sql`greatest(0, coalesce((${positions} ->> ${sql.lit(asset.asset)})::numeric, 0)
          - coalesce(s.${sold}, 0))`
  const read = left(sql`c.positions`, column('read', asset))
  const answered = left(sql`p.confirmed`, column('confirmed', asset))
  return sql`CASE
        WHEN p.confirmed_at >= coalesce(p.changed_at, '-infinity') THEN
          CASE WHEN c.read_at > p.confirmed_at THEN ${read} ELSE ${answered} END
        ELSE least(${left(sql`p.positions`, column('push', asset))},
          CASE WHEN c.read_at > p.confirmed_at OR p.confirmed IS NULL AND c.borrower_id IS NOT NULL
                 THEN ${read}
               WHEN p.confirmed IS NOT NULL THEN ${answered} END) END`
}

function soldSince(assets: readonly AssetTerms[], scope: TenantScope): RawBuilder<unknown> {
  const sums = assets.flatMap((asset) =>
    (['push', 'read', 'confirmed'] as const).map(
      (since) => sql`sum(sold.filled_units) FILTER (WHERE sold.asset = ${sql.lit(asset.asset)}
          AND sold.${sql.ref(`since_${since}`)}) AS ${column(since, asset)}`,
    ),
  )
  return sql`
      SELECT tenant_id, borrower_id, ${sql.join(sums)} FROM (
        SELECT called.tenant_id, called.borrower_id, one.asset, one.filled_units,
          extract(epoch FROM one.executed_at) * 1000000 > p.as_of
            OR one.executed_at > p.received_at AS since_push,
          one.executed_at >= c.read_at AS since_read,
          one.executed_at >= p.confirmed_at AS since_confirmed
        FROM margin_sales one
        JOIN facilities called
          ON called.tenant_id = one.tenant_id AND called.facility_id = one.facility_id
        JOIN portfolios p
          ON p.tenant_id = called.tenant_id AND p.borrower_id = called.borrower_id
        LEFT JOIN custodian_positions c
          ON c.tenant_id = called.tenant_id AND c.borrower_id = called.borrower_id
        WHERE one.status = 'FILLED' AND ${inScope(scope, 'one.tenant_id')}) sold
      WHERE since_push OR since_read OR since_confirmed GROUP BY 1, 2`
}

/** Open warnings, with what was paused until now and the deadlines of now, as paused.ts. */
function openWarnings(markets: readonly MarketRates[], terms: PassTerms): RawBuilder<unknown> {
  const scope = scopeOf(markets)
  const ms = (number: number) => sql`${sql.lit(number)} * interval '1 millisecond'`
  const until = sql`least(p.ended_at, m.now)`
  // Later pauses move also what is left at the end of a hold or forbearance.
  const atRest = sql`greatest(${resumed(sql`window_at`, [sql`counted_from`, sql`rested_at`])},
            rested_at + ${ms(terms.leastAfterPauseMs)})`
  return sql`
      SELECT *, CASE WHEN cut_at IS NULL THEN window_deadline
          ELSE ${resumed(sql`cut_at`, [sql`cut_at`, sql`now`])} END AS cure_deadline
      FROM (
        SELECT tenant_id, facility_id, number, tier, now, paused, cut_at,
          CASE WHEN rested_at IS NULL THEN ${resumed(sql`window_at`, [sql`counted_from`, sql`now`])}
            ELSE ${resumed(atRest, [sql`rested_at`, sql`now`])} END AS window_deadline
        FROM (
          SELECT w.tenant_id, w.facility_id, w.number, w.tier, m.now, z.paused,
            coalesce(w.counted_from, w.raised_at) AS counted_from,
            coalesce(w.window_deadline, w.cure_deadline) AS window_at,
            CASE WHEN w.window_deadline IS NOT NULL THEN w.cure_deadline END AS cut_at,
            CASE WHEN z.rested_at >= coalesce(w.counted_from, w.raised_at) THEN z.rested_at END AS rested_at
          FROM margin_warnings w
          JOIN (${marketRows(markets, terms)}) m ON m.tenant_id = w.tenant_id
          CROSS JOIN LATERAL (
            SELECT range_agg(tstzrange(p.started_at, ${until})) AS paused,
              max(${until}) FILTER (WHERE p.kind <> 'outage') AS rested_at
            FROM facility_pauses p
            WHERE p.tenant_id = w.tenant_id AND ${inScope(scope, 'p.tenant_id')}
              AND p.facility_id = w.facility_id AND p.started_at <= m.now
              AND (p.kind <> 'outage' OR ${until} - p.started_at > ${ms(terms.outageMs)})) z
          WHERE w.status = 'OPEN' AND ${inScope(scope, 'w.tenant_id')}) w) w`
}

/** Like resumeAt, in `paused`: a pause after the instant has passed does not move it. */
function resumed(
  at: RawBuilder<unknown>,
  [from, until]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
): RawBuilder<unknown> {
  return sql`CASE WHEN paused IS NULL THEN ${at} ELSE ${at} + (
        SELECT coalesce(sum(lasted), interval '0')
        FROM (
          SELECT lower(r) AS since, upper(r) - lower(r) AS lasted,
            coalesce(sum(upper(r) - lower(r)) OVER (ORDER BY lower(r)
              ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), interval '0') AS before
          FROM unnest(paused * tstzmultirange(tstzrange(least(${from}, ${until}), ${until}))) AS r
        ) part WHERE since <= ${at} + before) END`
}

/** As toReportedCure and reportsThatHold. */
function reportedCures(markets: readonly MarketRates[], terms: PassTerms): RawBuilder<unknown> {
  const money = terms.assets.filter(({ holdMs }) => holdMs !== undefined)
  const of = (toSql: (asset: AssetTerms) => RawBuilder<unknown>) =>
    sql`CASE reported.asset ${sql.join(
      money.map((asset) => sql`WHEN ${sql.lit(asset.asset)} THEN ${toSql(asset)}`),
      sql` `,
    )} END`
  // The price of a claim on a dollar is at most one dollar already.
  const centsOf = (units: string) =>
    of((asset) => sql`trunc(${sql.ref(units)} * m.${column('market', asset)})`)
  const held = (
    units: string,
    [since, longestMs]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
    holds: RawBuilder<unknown>,
  ) => sql`
      SELECT reported.tenant_id, reported.facility_id, ${centsOf(units)} AS cents
      FROM repayments reported
      JOIN (${marketRows(markets, terms)}) m ON m.tenant_id = reported.tenant_id
      JOIN (${openWarnings(markets, terms)}) open ON open.tenant_id = reported.tenant_id
        AND open.facility_id = reported.facility_id
      WHERE ${holds} AND ${inScope(scopeOf(markets), 'reported.tenant_id')}
        AND ${centsOf(units)} IS NOT NULL
        AND reported.reported_at <= open.window_deadline
        AND ${resumed(sql`${since} + ${longestMs} * interval '1 millisecond'`, [since, sql`m.now`])} > m.now`
  const since = sql`CASE WHEN reported.split_from IS NULL THEN reported.reported_at
      ELSE reported.requested_at END`
  const holdMs = of(({ holdMs: ms }) => sql`${sql.lit(ms ?? 0)}`)
  const reported = held(
    'reported.delivered_units',
    [since, holdMs],
    sql`reported.status = 'REPORTED' AND reported.delivered_units IS NOT NULL
        AND open.number = reported.margin_warning_number`,
  )
  const suspended = held(
    'reported.suspended_units',
    [sql`reported.applied_at`, sql.lit(terms.suspenseHoldMs)],
    sql`reported.suspended_units > 0 AND reported.suspense_end IS NULL`,
  )
  return sql`
      SELECT tenant_id, facility_id, sum(cents) AS claimed
      FROM (${reported} UNION ALL ${suspended}) held GROUP BY 1, 2`
}
