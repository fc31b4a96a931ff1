import { divideUp } from '../../../core/money.ts'
import type { Db } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/database.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import { createClockFor } from '../../tenants/tenant-clock.ts'
import { listTenants } from '../../tenants/tenants.ts'
import { type MarginPolicy, type TermsAt, type Tier, toMarginTerms } from '../policy.ts'
import { type MarketRates, toPassTerms, toRates } from '../stress/rates.ts'
import { loadMarkets } from '../stress/scenario.ts'
import {
  type BookPart,
  type BookSums,
  type EndedSums,
  sumBook,
  type TenantSums,
} from './book-queries.ts'

/** What a pass over the book needs besides the database and the instant. */
export type BookSource = {
  prices: PriceFeed
  stack: 'live' | 'sandbox'
  termsAt: TermsAt
}

export type Figures = Record<
  | 'limitCents'
  | 'reservedCents'
  | 'undrawnCents'
  | 'blockedUndrawnCents'
  | 'debtCents'
  | 'principalCents'
  | 'valueCents'
  | 'staleDebtCents'
  | 'warnedDebtCents'
  | 'calledDebtCents'
  | 'shortDebtCents'
  | 'deficitCents'
  | 'earnedCents',
  bigint
> &
  Record<'approved' | 'indebted' | 'stale' | 'warned' | 'called' | 'short', number> & {
    /** The average of the ratios as shown, weighted by debt, of those with collateral of value. */
    weightedLtvPpm: bigint
  }

export type ChargedOff = { facilities: number; cents: bigint; recoveredCents: bigint }

export type Part = { facilities: number; debtCents: bigint; valueCents: bigint }

export type Book = {
  readAt: Date
  tenantId: string | undefined
  total: Figures
  assets: { asset: string; holders: number; units: bigint; valueCents: bigint }[]
  tiers: { tier: Tier; warned: number; debtCents: bigint }[]
  /** Ascending: above the one ratio, not above the other. */
  bands: (Part & { aboveLtvPpm: bigint | undefined; toLtvPpm: bigint | undefined })[]
  /** Those of most debt, at most `MOST_SHOWN`, and how many more there are. */
  tenants: { tenantId: string; name: string; figures: Figures }[]
  moreTenants: number
  countries: (Part & { country: string })[]
  borrowers: LargeBorrower[]
  chargedOff: ChargedOff
}

export type LargeBorrower = {
  tenantId: string
  borrowerId: string
  facilityId: string
  country: string
  debtCents: bigint
  ltvPpm: bigint
}

/** A pass takes a second or two; one that takes so long is cancelled. */
export const BOOK_SECONDS = 20

const MOST_SHOWN = 100
const BORROWERS_SHOWN = 20

/** Exact sums of what /v1 shows of each facility, as of `at` by the clock of each tenant. */
export async function readBook(
  db: Db,
  source: BookSource,
  tenantId: string | undefined,
  at: Date,
): Promise<Book> {
  return await inSnapshot(db, { seconds: BOOK_SECONDS }, async (tx) => {
    const pass = await loadPass(tx, source, tenantId, at)
    const bandsPpm = bandLines(pass.terms)
    const options = { bandsPpm, largest: BORROWERS_SHOWN }
    const sums = await sumBook(tx, pass.markets, pass.terms, options)
    const names = new Map((await listTenants(tx)).map(({ id, name }) => [id, name]))
    return { readAt: at, tenantId, ...fold(sums, bandsPpm, names) }
  })
}

export async function loadPass(
  db: Db,
  { prices, stack, termsAt }: BookSource,
  tenantId: string | undefined,
  at: Date,
) {
  const clockFor = createClockFor(stack, () => at)
  const source = { prices, clockFor, isShared: stack === 'live' }
  const named = tenantId === undefined ? undefined : [tenantId]
  const markets = await loadMarkets(db, source, [], named)
  const termsOf = async (now: Date) => toMarginTerms((await termsAt(db, now)).marginPolicy)
  const rates: MarketRates[] = []
  // On a sandbox a tenant's clock may be past a change of terms.
  for (const market of markets) rates.push(toRates(market, await termsOf(market.now)))
  return { markets: rates, terms: toPassTerms(await termsOf(at)) }
}

/** The ladder's own lines, and some below them. */
export function bandLines(policy: MarginPolicy): bigint[] {
  const { tiers, floorLtvPpm, cureLtvPpm, criticalLtvPpm, noticeLtvPpm } = policy
  const ladder = tiers.map(({ aboveLtvPpm }) => aboveLtvPpm)
  const lines = [
    ...[400_000n, 500_000n, 1_000_000n, cureLtvPpm, floorLtvPpm, criticalLtvPpm],
    ...[...noticeLtvPpm, ...ladder],
  ]
  return [...new Set(lines)].sort((a, b) => (a < b ? -1 : 1))
}

function fold(
  { tenants, parts, largest, ended }: BookSums,
  bandsPpm: readonly bigint[],
  names: ReadonlyMap<string, string>,
): Omit<Book, 'readAt' | 'tenantId'> {
  const find = (by: BookPart['by'], key: string) =>
    parts.find((part) => part.by === by && part.key === key)
  const listed = listTenantFigures(tenants, ended, names)
  return {
    total: toFigures(tenants, ended),
    assets: sumAssets(tenants),
    tiers: ([1, 2, 3] as const).map((tier) => {
      const part = find('tier', String(tier))
      return { tier, warned: part?.warned ?? 0, debtCents: BigInt(part?.debt ?? 0) }
    }),
    bands: [undefined, ...bandsPpm].map((aboveLtvPpm, at) => ({
      aboveLtvPpm,
      toLtvPpm: bandsPpm[at],
      ...toPart(find('band', String(at))),
    })),
    tenants: listed.slice(0, MOST_SHOWN),
    moreTenants: Math.max(0, listed.length - MOST_SHOWN),
    countries: parts
      .flatMap((part) => {
        if (part.by !== 'country' || part.key === null || part.facilities === 0) return []
        return [{ country: part.key, ...toPart(part) }]
      })
      .sort((a, b) => compareDown(a.debtCents, b.debtCents) || (a.country < b.country ? -1 : 1)),
    borrowers: largest.map(({ debt, ltvPpm, ...borrower }) => ({
      ...borrower,
      debtCents: BigInt(debt),
      ltvPpm: BigInt(ltvPpm),
    })),
    chargedOff: {
      facilities: ended.reduce((sum, { chargedOff }) => sum + chargedOff, 0),
      cents: sumOf(ended, ({ chargedOffCents }) => chargedOffCents),
      recoveredCents: sumOf(ended, ({ recovered }) => recovered),
    },
  }
}

function listTenantFigures(
  tenants: readonly TenantSums[],
  ended: readonly EndedSums[],
  names: ReadonlyMap<string, string>,
): Book['tenants'] {
  const ids = new Set([...tenants, ...ended].map(({ tenantId }) => tenantId))
  return [...ids]
    .map((tenantId) => {
      const isOf = (one: { tenantId: string }) => one.tenantId === tenantId
      const figures = toFigures(tenants.filter(isOf), ended.filter(isOf))
      return { tenantId, name: names.get(tenantId) ?? '', figures }
    })
    .sort(
      (a, b) =>
        compareDown(a.figures.debtCents, b.figures.debtCents) || (a.tenantId < b.tenantId ? -1 : 1),
    )
}

function sumAssets(tenants: readonly TenantSums[]): Book['assets'] {
  const assets = Object.keys(tenants[0]?.assets ?? {})
  return assets.map((asset) => ({
    asset,
    holders: Number(sumOf(tenants, (sums) => sums.assets[asset]?.holders)),
    units: sumOf(tenants, (sums) => sums.assets[asset]?.units),
    valueCents: sumOf(tenants, (sums) => sums.assets[asset]?.value),
  }))
}

function toPart(part: BookPart | undefined): Part {
  if (!part) return { facilities: 0, debtCents: 0n, valueCents: 0n }
  const { facilities, debt, value } = part
  return { facilities, debtCents: BigInt(debt), valueCents: BigInt(value) }
}

function toFigures(tenants: readonly TenantSums[], ended: readonly EndedSums[]): Figures {
  const cents = (name: Exclude<keyof TenantSums, 'tenantId' | 'assets'>) =>
    sumOf(tenants, (sums) => sums[name])
  const count = (name: Parameters<typeof cents>[0]) => Number(cents(name))
  const weightedDebt = cents('weightedDebt')
  return {
    approved: count('approved'),
    limitCents: cents('limit'),
    reservedCents: cents('reserved'),
    undrawnCents: cents('undrawn'),
    blockedUndrawnCents: cents('blockedUndrawn'),
    indebted: count('indebted'),
    debtCents: cents('debt'),
    principalCents: cents('principal'),
    valueCents: cents('value'),
    weightedLtvPpm: weightedDebt === 0n ? 0n : divideUp(cents('weighted'), weightedDebt),
    earnedCents: cents('earned') + sumOf(ended, ({ earned }) => earned),
    stale: count('stale'),
    staleDebtCents: cents('staleDebt'),
    warned: count('warned'),
    warnedDebtCents: cents('warnedDebt'),
    called: count('called'),
    calledDebtCents: cents('calledDebt'),
    short: count('short'),
    shortDebtCents: cents('shortDebt'),
    deficitCents: cents('deficit'),
  }
}

function sumOf<Row>(rows: readonly Row[], pick: (row: Row) => string | undefined): bigint {
  return rows.reduce((sum, row) => sum + BigInt(pick(row) ?? 0), 0n)
}

function compareDown(a: bigint, b: bigint): number {
  if (a === b) return 0
  return a > b ? -1 : 1
}
