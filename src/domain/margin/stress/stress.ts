import { Refusal } from '../../../core/errors.ts'
import type { Db, Tx } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import { type BookTerms, termsIn, toPasses } from './book-terms.ts'
import { addToSums, emptySums, isSoldAtOnce, type SaleSums, type StressSums } from './group-sums.ts'
import type { GroupRow } from './rows.ts'
import {
  loadMarkets,
  type Market,
  type MarketSource,
  type PriceShock,
  sellsEachAssetOnce,
} from './scenario.ts'
import { sumOutcomes } from './stress-queries.ts'

/** A pass takes a second or two; one that takes so long is cancelled. */
export const PASS_SECONDS = 60

export type Stress = {
  markets: readonly Market[]
  total: StressSums
  byTenant: ReadonlyMap<string, StressSums>
  byCollateral: ReadonlyMap<string | null, StressSums>
  sold: ReadonlyMap<string, AssetSale>
  soldIfUncured: ReadonlyMap<string, AssetSale>
}

export type AssetSale = SaleSums & { units: bigint }

/** If prices move at once and stay. Refuses `validation_failed` for terms that it cannot sell by. */
export async function stressBook(
  db: Db,
  source: MarketSource,
  terms: BookTerms,
  shocks: readonly PriceShock[],
): Promise<Stress> {
  assertSells(terms)
  return await inSnapshot(db, { seconds: PASS_SECONDS }, (tx) =>
    stressWithin(tx, source, terms, shocks),
  )
}

export type Comparison = { today: Stress; stressed: Stress }

/** The book as it is, and if prices move or terms change, of one snapshot. Refuses
 * `validation_failed` as above. Each of the two is cancelled after `seconds`. */
export async function compareBook(
  db: Db,
  source: MarketSource,
  { today, terms, shocks }: { today: BookTerms; terms: BookTerms; shocks: readonly PriceShock[] },
  seconds: number,
): Promise<Comparison> {
  assertSells(today)
  assertSells(terms)
  return await inSnapshot(db, { seconds }, async (tx) => ({
    today: await stressWithin(tx, source, today, []),
    stressed: await stressWithin(tx, source, terms, shocks),
  }))
}

function assertSells(terms: BookTerms): void {
  if (termsIn(terms).every(({ policy }) => sellsEachAssetOnce(policy))) return
  throw new Refusal(
    'validation_failed',
    'The policy cannot be used: a sale down to target_ltv must leave enough below cure_ltv. Lower target_ltv or raise dust_usd.',
  )
}

async function stressWithin(
  tx: Tx,
  source: MarketSource,
  terms: BookTerms,
  shocks: readonly PriceShock[],
): Promise<Stress> {
  const markets = await loadMarkets(tx, source, shocks)
  const rows: GroupRow[] = []
  for (const pass of await toPasses(tx, terms, markets)) {
    rows.push(...(await sumOutcomes(tx, pass.markets, pass.terms)))
  }
  return sumUp(markets, rows)
}

function sumUp(markets: readonly Market[], rows: readonly GroupRow[]): Stress {
  return {
    markets,
    total: sumRows(rows),
    byTenant: sumBy(rows, ({ tenantId }) => tenantId),
    byCollateral: sumBy(rows, ({ asset }) => asset),
    sold: sumSales(rows.filter(isSoldAtOnce)),
    soldIfUncured: sumSales(rows.filter((row) => !isSoldAtOnce(row))),
  }
}

function sumBy<Key>(
  rows: readonly GroupRow[],
  keyOf: (row: GroupRow) => Key,
): Map<Key, StressSums> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map([...groups].map(([key, group]) => [key, sumRows(group)]))
}

function sumRows(rows: readonly GroupRow[]): StressSums {
  const sums = emptySums()
  for (const row of rows) addToSums(sums, row)
  return sums
}

function sumSales(rows: readonly GroupRow[]): Map<string, AssetSale> {
  const sales = new Map<string, AssetSale>()
  for (const { sold, gross, costs } of rows) {
    for (const [asset, units] of Object.entries(sold)) {
      const before = sales.get(asset) ?? { units: 0n, grossCents: 0n, costsCents: 0n }
      sales.set(asset, {
        units: before.units + BigInt(units),
        grossCents: before.grossCents + BigInt(gross[asset] ?? 0),
        costsCents: before.costsCents + BigInt(costs[asset] ?? 0),
      })
    }
  }
  return new Map([...sales].filter(([, { units }]) => units > 0n))
}
