import { divideUp } from '../../../core/money.ts'
import type { Book, Figures, Part } from './book.ts'
import type { BookPart, BookSums, EndedSums, TenantSums } from './book-queries.ts'

/** Of the tenants. */
const MOST_SHOWN = 100

/** From the sums of tenants and parts to the figures of the whole. */
export function foldBook(
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
