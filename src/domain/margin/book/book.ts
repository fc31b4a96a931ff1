import type { Db } from '../../../db/database.ts'
import { inSnapshot } from '../../../db/transactions/snapshot.ts'
import type { PriceFeed } from '../../collateral/prices.ts'
import { createClockFor } from '../../tenants/tenant-clock.ts'
import { listTenants } from '../../tenants/tenants.ts'
import type { MarginPolicy, TermsAt, Tier } from '../policy.ts'
import { toPasses } from '../stress/book-terms.ts'
import { loadMarkets } from '../stress/scenario.ts'
import { sumBook } from './book-queries.ts'
import { foldBook } from './fold-book.ts'

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
  /** Those of most debt, at most 100, and how many more there are. */
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
    const bandsPpm = bandLines(pass.policy)
    const options = { bandsPpm, largest: BORROWERS_SHOWN }
    const sums = await sumBook(tx, pass.passes, options)
    const names = new Map((await listTenants(tx)).map(({ id, name }) => [id, name]))
    return { readAt: at, tenantId, ...foldBook(sums, bandsPpm, names) }
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
  const own = await termsAt(db, at)
  return { passes: await toPasses(db, { own }, markets), policy: own.marginPolicy }
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
