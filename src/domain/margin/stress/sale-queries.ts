import { type RawBuilder, sql } from 'kysely'
import { column, isSellable, kept, ONE, STAGE, whole } from './outcome-queries.ts'
import type { AssetTerms, PassTerms } from './rates.ts'

const CENTS_PER_USD = 100n

/** The rows of `book` with what a margin call would sell of those that `isSold`, as sale-plan.ts: one
 * order of each asset, in turn. `deficit` is what is owed once nothing sellable is left. */
export function withSales(
  book: RawBuilder<unknown>,
  isSold: RawBuilder<boolean>,
  terms: PassTerms,
): RawBuilder<unknown> {
  const start = sql`SELECT *, debt AS owed_0, value AS left_0, ${isSold} AS is_sold FROM (${book}) b`
  const sold = terms.assets.reduce((rows, asset, at) => withOrder(rows, asset, at, terms), start)
  const more = needsMore(terms.assets.length, terms)
  return sql`
    SELECT *, CASE WHEN is_sold AND ${more} THEN ${owed(terms.assets.length)} ELSE 0 END AS deficit
    FROM (${sold} ${STAGE}) sold`
}

function withOrder(
  rows: RawBuilder<unknown>,
  asset: AssetTerms,
  at: number,
  terms: PassTerms,
): RawBuilder<unknown> {
  const [units, sold, gross] = ['units', 'sold', 'gross'].map((what) => column(what, asset))
  const [market, counted, value] = ['market', 'counted', 'value'].map((what) => column(what, asset))
  const net = kept(sql`${gross}`, asset)
  const perCent = sql`(${column('price', asset)} * ${whole(CENTS_PER_USD)})`
  const ordered = sql`
    SELECT *, CASE
      WHEN is_sold AND ${needsMore(at, terms)} AND ${isSellable(asset)}
      THEN least(${units}, div(${wantedCents(asset, at, terms)} * ${whole(asset.scale)}
        + ${perCent} - 1, ${perCent}))
      ELSE 0 END AS ${sold}
    FROM (${rows} ${STAGE}) ${sql.ref(`before_${at}`)}`
  const filled = sql`
    SELECT *, CASE WHEN ${sold} = 0 THEN 0 ELSE trunc(${sold} * ${market}) END AS ${gross}
    FROM (${ordered} ${STAGE}) ${sql.ref(`ordered_${at}`)}`
  return sql`
    SELECT *, ${gross} - ${net} AS ${column('cost', asset)},
      greatest(0, ${owed(at)} - ${net}) AS ${owed(at + 1)},
      CASE WHEN ${sold} = 0 THEN ${left(at)}
        ELSE ${left(at)} - ${value} + trunc((${units} - ${sold}) * ${counted}) END AS ${left(at + 1)}
    FROM (${filled} ${STAGE}) ${sql.ref(`filled_${at}`)}`
}

function wantedCents(
  { countedPpm, keptPpm }: AssetTerms,
  at: number,
  { targetLtvPpm, deepLtvPpm, dustCents }: PassTerms,
): RawBuilder<bigint> {
  const debt = sql`(${owed(at)} * ${ONE})`
  const payoff = ceilDivide(debt, keptPpm)
  const gainedPpm = keptPpm * 1_000_000n - targetLtvPpm * countedPpm
  // Where selling cannot lower the ratio to the target, only paying off helps.
  if (gainedPpm <= 0n) return payoff
  const missing = sql`(${debt} - ${left(at)} * ${whole(targetLtvPpm)})`
  const target = ceilDivide(sql`${missing} * ${ONE}`, gainedPpm)
  return sql`CASE
        WHEN ${debt} >= ${left(at)} * ${whole(deepLtvPpm)} OR ${missing} <= 0
          OR (${left(at)} - ${whole(dustCents)}) * ${ONE} < ${target} * ${whole(countedPpm)}
        THEN ${payoff} ELSE ${target} END`
}

function needsMore(at: number, { cureLtvPpm }: PassTerms): RawBuilder<boolean> {
  return sql`(${owed(at)} > 0 AND ${left(at)} * ${whole(cureLtvPpm)} < ${owed(at)} * ${ONE})`
}

function ceilDivide(a: RawBuilder<unknown>, b: bigint): RawBuilder<bigint> {
  return sql`div(${a} + ${whole(b - 1n)}, ${whole(b)})`
}

function owed(at: number): RawBuilder<bigint> {
  return sql.ref(`owed_${at}`)
}

function left(at: number): RawBuilder<bigint> {
  return sql.ref(`left_${at}`)
}
