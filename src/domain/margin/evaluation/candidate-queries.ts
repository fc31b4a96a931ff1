import { type RawBuilder, sql } from 'kysely'
import { INTEREST_PER_CENT } from '../../../core/interest.ts'
import { ONE_PPM } from '../../../core/ratio.ts'
import type { Db } from '../../../db/database.ts'
import { inScope, type TenantScope } from '../../../db/tenant-scope.ts'

/** What a unit of each asset counts for, at each of some rounds; and the lines, of one version. */
export type VersionRates = {
  version: number
  rounds: readonly ReadonlyMap<string, string>[]
  floorLtvPpm: bigint
  noticeLtvPpm: readonly bigint[]
  leastCents: bigint
  /** By which units times this are at least 1 where a sale brings more than its costs. */
  saleRates: ReadonlyMap<string, string>
}

/** `inForce`: of facilities without a version. All have as many rounds. */
export type Rates = { inForce: number; versions: readonly VersionRates[] }

export type Candidate = { tenantId: string; facilityId: string }

/** Open warnings, and facilities without a live call that are at each of `rounds` above the next
 * line of the ladder or not above the last one noticed: a superset of what an evaluation changes,
 * if each is a round of the window or the latest. Each by its own version; those of a version that is not
 * in `rates` only if they are warned. By tenant and facility. */
export async function selectCandidates(
  db: Db,
  tenantId: TenantScope,
  rates: Rates,
  now: Date,
): Promise<Candidate[]> {
  // @across tenants: finds which facilities to evaluate; locks nothing.
  // @plan reads facilities, portfolios, custodian_positions: a round of prices values all of them.
  // @plan reads margin_warnings, margin_calls, margin_sales: the open, live and recent ones of all.
  const { rows } = await sql<Candidate>`
    SELECT f.tenant_id AS "tenantId", f.facility_id AS "facilityId"
    FROM facilities f
    ${joinRates(rates)}
    JOIN portfolios p ON p.tenant_id = f.tenant_id AND p.borrower_id = f.borrower_id
    LEFT JOIN custodian_positions c ON c.tenant_id = f.tenant_id AND c.borrower_id = f.borrower_id
    WHERE f.state = 'APPROVED' AND ${inScope(tenantId, 'f.tenant_id')}
      AND (f.principal_cents > 0 OR f.interest_booked_cents > f.interest_paid_cents)
      AND (${isAbove(rates, nextLine(rates), now)}
        OR f.noticed_ltv_ppm > 0 AND ${isClear(rates, now)})
      AND NOT ${HAS_LIVE_CALL}
    UNION
    SELECT tenant_id, facility_id FROM margin_warnings
    WHERE status = 'OPEN' AND ${inScope(tenantId)}
    UNION
    -- Sales since the positions were received count as gone, and are not taken off above.
    SELECT f.tenant_id, f.facility_id
    FROM margin_sales s
    JOIN facilities called ON called.tenant_id = s.tenant_id AND called.facility_id = s.facility_id
    JOIN portfolios p ON p.tenant_id = called.tenant_id AND p.borrower_id = called.borrower_id
    JOIN facilities f ON f.tenant_id = p.tenant_id AND f.borrower_id = p.borrower_id
      AND f.state = 'APPROVED'
    LEFT JOIN custodian_positions c ON c.tenant_id = f.tenant_id AND c.borrower_id = f.borrower_id
    WHERE s.status = 'FILLED' AND ${inScope(tenantId, 's.tenant_id')}
      AND (extract(epoch FROM s.executed_at) * 1000000 > p.as_of
        OR s.executed_at > p.received_at OR s.executed_at >= c.read_at
        OR s.executed_at >= p.confirmed_at)
    ORDER BY 1, 2
  `.execute(db)
  return rows
}

/** Below the floor at each of `rounds`, with neither warning nor call nor a question they wait for. */
export async function countUnwarned(db: Db, rates: Rates, now: Date): Promise<number> {
  // @across tenants: a measure of all.
  const sellable = saleRatesOf(rates.versions).map(
    ({ asset, name }) => sql`${countedUnits(asset)} * t.${name} >= 1`,
  )
  // @plan reads facilities, portfolios, custodian_positions: it values all, as a round of prices
  // does. @plan reads margin_warnings, margin_calls: they are kept out of what is counted.
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count
    FROM facilities f
    ${joinRates(rates)}
    JOIN portfolios p ON p.tenant_id = f.tenant_id AND p.borrower_id = f.borrower_id
    LEFT JOIN custodian_positions c ON c.tenant_id = f.tenant_id AND c.borrower_id = f.borrower_id
    WHERE f.state = 'APPROVED'
      AND (f.principal_cents > 0 OR f.interest_booked_cents > f.interest_paid_cents)
      AND ${isAbove(rates, sql`t.floor`, now)}
      AND ${debtCentsAt(now)} >= t.least
      AND (${sql.join(sellable, sql` OR `)})
      AND NOT ${HAS_LIVE_CALL}
      AND p.asked_since IS NULL AND NOT p.is_new
      AND NOT EXISTS (
        SELECT FROM margin_warnings w WHERE w.tenant_id = f.tenant_id
          AND w.facility_id = f.facility_id AND w.status = 'OPEN')
  `.execute(db)
  return rows[0]?.count ?? 0
}

const HAS_LIVE_CALL = sql`EXISTS (
        SELECT FROM margin_calls m WHERE m.tenant_id = f.tenant_id AND m.facility_id = f.facility_id
          AND m.status IN ('PENDING', 'SELLING'))`

/** Of each facility, what its own version says: a row a version. */
function joinRates({ inForce, versions }: Rates): RawBuilder<unknown> {
  const columns = ratesOf(versions).map(({ name, cents }) => ({ name, values: cents }))
  const own = [
    { name: sql.ref('floor'), values: versions.map(({ floorLtvPpm }) => floorLtvPpm) },
    { name: sql.ref('least'), values: versions.map(({ leastCents }) => leastCents) },
    ...columns,
    ...saleRatesOf(versions).map(({ name, rates }) => ({ name, values: rates })),
  ]
  return sql`JOIN unnest(
      ${versions.map(({ version }) => version)}::integer[],
      ${sql.join(own.map(({ values }) => sql`${values}::numeric[]`))}
    ) AS t (version, ${sql.join(own.map(({ name }) => name))})
      ON t.version = coalesce(f.terms_version, ${inForce}::integer)`
}

type RateColumn = { round: number; asset: string; name: RawBuilder<bigint>; cents: string[] }

function ratesOf(versions: readonly VersionRates[]): RateColumn[] {
  const rounds = versions[0]?.rounds ?? []
  const assets = new Set(versions.flatMap((one) => one.rounds.flatMap((of) => [...of.keys()])))
  return rounds.flatMap((_, round) =>
    [...assets].map((asset) => ({
      round,
      asset,
      name: sql.ref(`${asset.toLowerCase()}_${round}`),
      // An asset that a version does not name counts for nothing under it.
      cents: versions.map((one) => one.rounds[round]?.get(asset) ?? '0'),
    })),
  )
}

function saleRatesOf(versions: readonly VersionRates[]) {
  const assets = new Set(versions.flatMap(({ saleRates }) => [...saleRates.keys()]))
  return [...assets].map((asset) => ({
    asset,
    name: sql.ref(`sale_${asset.toLowerCase()}`),
    rates: versions.map(({ saleRates }) => saleRates.get(asset) ?? '0'),
  }))
}

/** The lowest line above the one noticed last; notices, which all versions share, come before the floor. */
function nextLine({ versions }: Rates): RawBuilder<bigint> {
  const notices = (versions[0]?.noticeLtvPpm ?? []).map(
    (line) => sql`WHEN f.noticed_ltv_ppm < ${line}::numeric AND ${line}::numeric < t.floor
          THEN ${line}::numeric`,
  )
  return notices.length === 0
    ? sql`t.floor`
    : sql`CASE ${sql.join(notices, sql` `)} ELSE t.floor END`
}

function isAbove(rates: Rates, linePpm: RawBuilder<unknown>, now: Date): RawBuilder<boolean> {
  const owed = sql`${debtCentsAt(now)} * ${ONE_PPM}::numeric`
  // A value clear of the line at one round decides it: the others are not computed.
  const each = valuesOf(rates).map((value) => sql`${value} * ${linePpm} < ${owed}`)
  return sql`${sql.join(each, sql` AND `)}`
}

function isClear(rates: Rates, now: Date): RawBuilder<boolean> {
  const owed = sql`${debtCentsAt(now)} * ${ONE_PPM}::numeric`
  const each = valuesOf(rates).map((value) => sql`${value} * f.noticed_ltv_ppm >= ${owed}`)
  return sql`${sql.join(each, sql` AND `)}`
}

export async function selectWarned(db: Db, tenantId: TenantScope): Promise<Candidate[]> {
  // @across tenants: finds which facilities to evaluate; locks nothing.
  // @plan reads margin_warnings: on a crash day most warnings are open ones.
  return await db
    .selectFrom('margin_warnings')
    .select(['tenant_id as tenantId', 'facility_id as facilityId'])
    .where('status', '=', 'OPEN')
    .where(inScope(tenantId))
    .orderBy('tenant_id')
    .orderBy('facility_id')
    .execute()
}

/** As domain/facilities/ledger/debt.ts: principal, and interest rounded up, less what was paid. */
function debtCentsAt(now: Date): RawBuilder<bigint> {
  const perCent = sql`${INTEREST_PER_CENT}::numeric`
  return sql`(f.principal_cents + greatest(0, div(
    f.interest_numerator + f.principal_cents * f.rate_ppm
      * greatest(0, extract(epoch FROM ${now}::timestamptz - f.accrued_at) * 1000)
    + ${perCent} - 1, ${perCent}) - f.interest_paid_cents))`
}

/** At each round, as domain/collateral/valuation.ts; the collateral assets are few and known. */
function valuesOf({ versions }: Rates): RawBuilder<bigint>[] {
  const byRound = Map.groupBy(ratesOf(versions), ({ round }) => round)
  return [...byRound.values()].map((columns) => {
    const values = columns.map(({ asset, name }) => sql`trunc(${countedUnits(asset)} * t.${name})`)
    return sql`(${sql.join(values, sql` + `)})`
  })
}

/** As domain/collateral/position-sources.ts. */
function countedUnits(asset: string): RawBuilder<bigint> {
  const of = (positions: RawBuilder<unknown>) =>
    sql`coalesce((${positions} ->> ${asset})::numeric, 0)`
  const [read, answered] = [of(sql`c.positions`), of(sql`p.confirmed`)]
  return sql`CASE WHEN p.confirmed_at >= coalesce(p.changed_at, '-infinity')
                  THEN CASE WHEN c.read_at > p.confirmed_at THEN ${read} ELSE ${answered} END
                  ELSE least(${of(sql`p.positions`)},
                             CASE WHEN c.read_at > p.confirmed_at
                                    OR p.confirmed IS NULL AND c.borrower_id IS NOT NULL
                                    THEN ${read}
                                  WHEN p.confirmed IS NOT NULL THEN ${answered} END) END`
}
