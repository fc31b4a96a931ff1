import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { createCursorCodec } from '../../../../src/core/cursor.ts'
import { divideUp, parseDecimal } from '../../../../src/core/money.ts'
import { ONE_PPM } from '../../../../src/core/ratio.ts'
import { addMs, HOUR_MS, SECOND_MS } from '../../../../src/core/time.ts'
import type { Db } from '../../../../src/db/database.ts'
import { execute } from '../../../../src/db/transactions/execute.ts'
import { ONE_USD, type PriceFeed, type Prices } from '../../../../src/domain/collateral/prices.ts'
import { toFacility } from '../../../../src/domain/facilities/facilities.ts'
import { loadPauses } from '../../../../src/domain/facilities/pauses/load-pauses.ts'
import { DEFAULT_POLICY } from '../../../../src/domain/facilities/policy.ts'
import { type Book, bandLines, readBook } from '../../../../src/domain/margin/book/book.ts'
import type { BookFigure } from '../../../../src/domain/margin/book/figures.ts'
import { listBook } from '../../../../src/domain/margin/book/list-book.ts'
import type { BookFilter } from '../../../../src/domain/margin/book/list-queries.ts'
import { viewFacilities } from '../../../../src/domain/margin/facility-view.ts'
import { DEFAULT_MARGIN_POLICY, type TermsAt } from '../../../../src/domain/margin/policy.ts'
import { selectOpenWarnings } from '../../../../src/domain/margin/warning-queries.ts'
import { deadlinesAt } from '../../../../src/domain/margin/warnings/paused.ts'
import { toFacilityBody } from '../../../../src/http/routes/facility-schemas.ts'
import { toCollateralBody } from '../../../../src/http/routes/margin-schemas.ts'
import { insertFacilities } from '../../../support/lending/facility-rows.ts'
import { openTenant } from '../../../support/lending/onboarding.ts'
import { type BookEntry, bookEntry, insertBook } from '../../../support/lending/random-book.ts'
import { databaseForFile } from '../../../support/stores/database.ts'
import { removeTenants } from '../../../support/stores/remove-tenants.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const AHEAD_MS = 86_400_000
const cursors = createCursorCodec([{ id: 'k', bytes: Buffer.alloc(32, 1) }])

const OWN = { policy: DEFAULT_POLICY, marginPolicy: DEFAULT_MARGIN_POLICY }
const CHANGED = {
  policy: { ...DEFAULT_POLICY, termsVersion: 1 },
  marginPolicy: {
    ...DEFAULT_MARGIN_POLICY,
    haircuts: new Map([...DEFAULT_MARGIN_POLICY.haircuts, ['BTC', 123_457n], ['USD', 1n]]),
  },
}

/** Facilities are bound to one or the other of two versions. */
const termsAt: TermsAt = async () => ({
  ...OWN,
  versions: [OWN, CHANGED],
  termsOf: ({ termsVersion }) => (termsVersion === 1 ? CHANGED : OWN),
})

const database = databaseForFile()
let db: Db
beforeAll(async () => {
  db = database.db
})

const quote = (low: bigint, high: bigint) =>
  fc.option(fc.record({ price: fc.bigInt(low, high), ageMs: fc.constantFrom(0, 0, 0, 300_001) }), {
    nil: undefined,
    freq: 12,
  })
const market = fc.record({
  BTC: quote(1n, 90_000n * ONE_USD),
  ETH: quote(1_000n * ONE_USD, 4_000n * ONE_USD),
  USDC: quote(ONE_USD - 5_000_000n, ONE_USD + 5_000_000n),
})
type Drawn = typeof market extends fc.Arbitrary<infer T> ? T : never

const fate = fc.record({
  country: fc.constantFrom('DE', 'FR', 'US'),
  isBlocked: fc.boolean(),
  limitCents: fc.bigInt(1n, 10n ** 7n),
  reservedCents: fc.bigInt(0n, 10n ** 4n),
  end: fc.constantFrom('repaid', 'charged_off', 'cancelled', undefined, undefined),
  endedCents: fc.bigInt(1n, 10n ** 6n),
})
type Fate = typeof fate extends fc.Arbitrary<infer T> ? T : never

function pricesAt({ BTC, ETH, USDC }: Drawn, now: Date): Prices {
  const quoted = Object.entries({ BTC, ETH, USDC }).flatMap(([asset, one]) =>
    one ? [[asset, { price: one.price, at: addMs(now, -one.ageMs) }] as const] : [],
  )
  return new Map([['USD', { price: ONE_USD, at: now }], ...quoted])
}

function feedOf(drawnOf: ReadonlyMap<string, Drawn>): PriceFeed {
  const latest = (tenantId: string, now: Date) => {
    const drawn = drawnOf.get(tenantId)
    return drawn ? pricesAt(drawn, now) : new Map()
  }
  return {
    latest: async (_db, tenantId, now) => latest(tenantId, now),
    window: async (_db, tenantId, { now }) => [latest(tenantId, now)],
    quotesAt: async () => [],
  }
}

const cents = (text: string) => parseDecimal(text, 2) ?? -1n
const ppm = (text: string) => parseDecimal(text, 6) ?? -1n
const sum = (ones: readonly bigint[]) => ones.reduce((all, one) => all + one, 0n)

type Shown = Awaited<ReturnType<typeof showAll>>[number]

/** Each facility of a tenant as its tenant is shown it, with what its borrower's row says. */
async function showAll(tenantId: string, now: Date, prices: PriceFeed) {
  const rows = await db
    .selectFrom('facilities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('facility_id')
    .execute()
  const view = { prices, ...(await termsAt(db, now)) }
  const views = await viewFacilities(db, view, rows.map(toFacility), now)
  const borrowers = await db.selectFrom('borrowers').selectAll().execute()
  const borrowerOf = new Map(borrowers.map((one) => [one.borrower_id, one]))
  const open = await sql<{ facility_id: string; tier: number }>`
    SELECT facility_id, tier FROM margin_warnings WHERE status = 'OPEN'`.execute(db)
  const tierOf = new Map(open.rows.map(({ facility_id: id, tier }) => [id, tier]))
  const pausesOf = await loadPauses(db, tenantId, [...tierOf.keys()], now)
  const warnings = await execute(db, selectOpenWarnings({ tenantId, ids: [...tierOf.keys()] }))
  const deadlineOf = new Map(
    warnings.map((row) => {
      const { cureDeadline } = deadlinesAt(row, pausesOf(row.facility_id), now)
      return [row.facility_id, cureDeadline]
    }),
  )
  return views.map((one, at) => {
    const body = toFacilityBody(one)
    const borrower = borrowerOf.get(body.borrower_id)
    return {
      ...{ tenantId, body, collateral: toCollateralBody(one), tier: tierOf.get(body.id) },
      deadline: deadlineOf.get(body.id),
      ...{ country: borrower?.residency_country, isBlocked: borrower?.blocked_at !== null },
      debt: cents(body.outstanding.total),
      value: cents(body.collateral_value_usd),
      ltv: ppm(body.ltv),
      paid: rows[at]?.interest_paid_cents ?? 0n,
    }
  })
}

const undrawnOf = ({ body }: Shown) => {
  const left = cents(body.limit.amount) - cents(body.outstanding.principal)
  const undrawn = left - cents(body.outstanding.reserved)
  return body.state === 'APPROVED' && undrawn > 0n ? undrawn : 0n
}
const earnedOf = ({ body, paid }: Shown) => paid + cents(body.outstanding.interest)
const chargedOffOf = ({ body: { charged_off: off } }: Shown) =>
  off ? cents(off.principal) + cents(off.interest) : 0n

/** What a figure's list must have, and what each of it adds. */
const LISTS: Record<BookFigure, { isIn: (one: Shown) => boolean; of: (one: Shown) => bigint }> = {
  exposure: { isIn: ({ debt }) => debt > 0n, of: ({ debt }) => debt },
  collateral: { isIn: ({ debt }) => debt > 0n, of: ({ value }) => value },
  commitments: { isIn: ({ body }) => body.state === 'APPROVED', of: undrawnOf },
  warnings: { isIn: ({ tier }) => tier !== undefined, of: ({ debt }) => debt },
  margin_calls: { isIn: ({ body }) => body.health === 'MARGIN_CALL', of: ({ debt }) => debt },
  deficits: { isIn: ({ debt, value }) => debt > value, of: ({ debt, value }) => debt - value },
  stale: {
    isIn: ({ debt, collateral }) => debt > 0n && collateral.valuation_status === 'STALE',
    of: ({ debt }) => debt,
  },
  interest: { isIn: (one) => earnedOf(one) > 0n, of: earnedOf },
  charged_off: { isIn: (one) => chargedOffOf(one) > 0n, of: chargedOffOf },
}

function expectTotals({ total, chargedOff }: Book, shown: readonly Shown[]): void {
  const of = (figure: BookFigure) => shown.filter(LISTS[figure].isIn)
  const amount = (figure: BookFigure) => sum(of(figure).map(LISTS[figure].of))
  const debtOf = (figure: BookFigure) => sum(of(figure).map(({ debt }) => debt))
  const approved = of('commitments')
  const weighed = of('exposure').filter(({ value }) => value > 0n)
  const weight = sum(weighed.map(({ debt }) => debt))
  const weightedLtvPpm =
    weight === 0n ? 0n : divideUp(sum(weighed.map(({ debt, ltv }) => debt * ltv)), weight)
  expect(total).toEqual({
    approved: approved.length,
    limitCents: sum(approved.map(({ body }) => cents(body.limit.amount))),
    reservedCents: sum(shown.map(({ body }) => cents(body.outstanding.reserved))),
    undrawnCents: amount('commitments'),
    blockedUndrawnCents: sum(approved.filter(({ isBlocked }) => isBlocked).map(undrawnOf)),
    indebted: of('exposure').length,
    // Of every facility, whatever its state.
    debtCents: sum(shown.map(({ debt }) => debt)),
    principalCents: sum(shown.map(({ body }) => cents(body.outstanding.principal))),
    valueCents: amount('collateral'),
    ...{ stale: of('stale').length, staleDebtCents: amount('stale') },
    ...{ warned: of('warnings').length, warnedDebtCents: amount('warnings') },
    ...{ called: of('margin_calls').length, calledDebtCents: amount('margin_calls') },
    ...{ short: of('deficits').length, shortDebtCents: debtOf('deficits') },
    deficitCents: amount('deficits'),
    earnedCents: amount('interest'),
    weightedLtvPpm,
  })
  expect(chargedOff).toEqual({
    facilities: of('charged_off').length,
    cents: amount('charged_off'),
    recoveredCents: sum(shown.map(({ body }) => cents(body.charged_off?.recovered ?? '0'))),
  })
}

function expectParts(book: Book, shown: readonly Shown[]): void {
  const owing = shown.filter(({ debt }) => debt > 0n)
  const debtBy = <Key>(keyOf: (one: Shown) => Key, ones = owing) =>
    new Map(
      [...Map.groupBy(ones, keyOf)].map(([key, group]) => [
        key,
        sum(group.map(({ debt }) => debt)),
      ]),
    )
  const nonZero = <Key>(entries: readonly [Key, bigint][]) =>
    new Map(entries.filter(([, debt]) => debt > 0n))
  expect(nonZero(book.countries.map(({ country, debtCents }) => [country, debtCents]))).toEqual(
    debtBy(({ country }) => country ?? ''),
  )
  expect(
    nonZero(book.tenants.map(({ tenantId, figures }) => [tenantId, figures.debtCents])),
  ).toEqual(debtBy(({ tenantId }) => tenantId))
  const warned = owing.filter(({ tier }) => tier !== undefined)
  expect(nonZero(book.tiers.map(({ tier, debtCents }) => [tier, debtCents]))).toEqual(
    debtBy(({ tier }) => tier as 1 | 2 | 3, warned),
  )
  expect(book.tiers.map(({ tier, warned }) => [tier, warned])).toEqual(
    ([1, 2, 3] as const).map((tier) => [tier, shown.filter((one) => one.tier === tier).length]),
  )
  for (const { aboveLtvPpm, toLtvPpm, ...band } of book.bands) {
    const within = owing.filter(
      ({ ltv }) => ltv > (aboveLtvPpm ?? -1n) && (toLtvPpm === undefined || ltv <= toLtvPpm),
    )
    expect(band).toEqual({
      facilities: within.length,
      debtCents: sum(within.map(({ debt }) => debt)),
      valueCents: sum(within.map(({ value }) => value)),
    })
  }
  for (const { asset, holders, valueCents } of book.assets) {
    const held = owing.flatMap(({ collateral }) =>
      collateral.positions.filter((one) => one.asset === asset && /[1-9]/.test(one.quantity)),
    )
    expect([holders, valueCents]).toEqual([
      held.length,
      sum(held.map(({ value_usd: value }) => cents(value))),
    ])
  }
  expect(
    book.borrowers.map(({ facilityId, debtCents, ltvPpm }) => [facilityId, debtCents, ltvPpm]),
  ).toEqual(
    owing
      .toSorted((a, b) =>
        compareDown([a.debt, a.tenantId, a.body.id], [b.debt, b.tenantId, b.body.id]),
      )
      .slice(0, 20)
      .map(({ body, debt, ltv }) => [body.id, debt, ltv]),
  )
}

function compareDown(a: readonly [bigint, string, string], b: typeof a): number {
  const at = a.findIndex((part, index) => part !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0n) > (b[at] ?? 0n) ? -1 : 1
}

/** A borrower's facility gets its fate; some borrowers have one that has ended besides. */
async function applyFates(tenantId: string, ids: readonly string[], fates: readonly Fate[]) {
  for (const [at, facilityId] of ids.entries()) {
    const one = fates[at]
    if (!one) continue
    const { limitCents, reservedCents } = one
    await sql`UPDATE borrowers SET residency_country = ${one.country},
        blocked_at = ${one.isBlocked ? NOW : null}
      WHERE borrower_id = (SELECT borrower_id FROM facilities WHERE facility_id = ${facilityId})`.execute(
      db,
    )
    await sql`UPDATE facilities SET reserved_cents = ${reservedCents},
        limit_cents = principal_cents + ${limitCents + reservedCents}::numeric,
        terms_version = ${[null, 0, 1][at % 3]}::integer
      WHERE facility_id = ${facilityId}`.execute(db)
    if (one.end) await endOne(tenantId, one.end, one.endedCents)
  }
}

async function endOne(tenantId: string, end: string, paid: bigint): Promise<void> {
  const [id = ''] = await insertFacilities(db, tenantId, [
    { positions: { BTC: 5n }, principalCents: 0n, accruedAt: NOW, interestPaidCents: paid },
  ])
  await sql`UPDATE facilities SET state = ${end === 'repaid' ? 'CLOSING' : 'CLOSED'},
      close_reason = ${end}, closed_at = ${NOW}, interest_booked_cents = interest_paid_cents
    WHERE facility_id = ${id}`.execute(db)
  if (end !== 'charged_off') return
  await sql`UPDATE facilities SET charged_off_principal_cents = ${paid},
      charged_off_interest_cents = 7, recovered_cents = 3 WHERE facility_id = ${id}`.execute(db)
}

async function insertTenants(
  drawn: readonly Drawn[],
  entries: readonly BookEntry[],
  fates: readonly Fate[],
) {
  await removeTenants(db)
  const drawnOf = new Map<string, Drawn>()
  const prices = feedOf(drawnOf)
  const shown: Shown[] = []
  for (const [at, one] of drawn.entries()) {
    const tenantId = await openTenant(db, NOW)
    drawnOf.set(tenantId, one)
    const ahead = at * AHEAD_MS
    await sql`UPDATE tenants SET clock_offset_ms = ${ahead} WHERE tenant_id = ${tenantId}`.execute(
      db,
    )
    const now = addMs(NOW, ahead)
    const mine = entries.slice(at * 6, at * 6 + 6)
    const ids = await insertBook(db, { tenantId, now }, mine, async () => {
      const bodies = await showAll(tenantId, now, prices)
      return bodies.map(({ value }) => value)
    })
    await applyFates(tenantId, ids, fates.slice(at * 6))
    shown.push(...(await showAll(tenantId, now, prices)))
  }
  return { source: { prices, stack: 'sandbox' as const, termsAt }, shown }
}

test('every figure of the book is the sum of what /v1 shows of each facility, to the cent, and so is every list', async () => {
  const seen = new Set<BookFigure>()
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(market, market),
      fc.array(bookEntry, { minLength: 12, maxLength: 12 }),
      fc.array(fate, { minLength: 12, maxLength: 12 }),
      async (drawn, entries, fates) => {
        const { source, shown } = await insertTenants(drawn, entries, fates)
        const tenantIds = [...new Set(shown.map(({ tenantId }) => tenantId))]
        for (const tenantId of [undefined, ...tenantIds]) {
          const mine = shown.filter((one) => tenantId === undefined || one.tenantId === tenantId)
          const book = await readBook(db, source, tenantId, NOW)
          expectTotals(book, mine)
          expectParts(book, mine)
        }
        for (const [name, { isIn, of }] of Object.entries(LISTS)) {
          const figure = name as BookFigure
          const expected = shown.filter(isIn)
          if (expected.length > 0) seen.add(figure)
          const listed = await listAll({ figure }, source)
          expect(listed.items.map(({ amount }) => BigInt(amount))).toEqual(
            expected.map(of).sort((a, b) => (a > b ? -1 : 1)),
          )
          expect(new Set(listed.items.map(({ facilityId }) => facilityId))).toEqual(
            new Set(expected.map(({ body }) => body.id)),
          )
          expect([listed.facilities, listed.amountCents]).toEqual([
            expected.length,
            sum(expected.map(of)),
          ])
          const deadlineOf = new Map(expected.map(({ body, deadline }) => [body.id, deadline]))
          for (const { facilityId, warning } of listed.items) {
            const shownAt = deadlineOf.get(facilityId)
            expect(warning && new Date(warning.cureDeadline)).toEqual(shownAt ?? null)
          }
        }
      },
    ),
    // One seed: each figure must have something.
    { numRuns: 15, seed: 11 },
  )
  expect(seen.size).toBe(Object.keys(LISTS).length)
}, 240_000)

test('the two hours that a hold leaves are moved by an outage after it, in the book too', async () => {
  const price = { price: 80_000n * ONE_USD, ageMs: 0 as const }
  const entry: BookEntry = {
    ...{ positions: { BTC: 10n ** 8n }, custodian: undefined, call: undefined },
    ...{ pushedMs: HOUR_MS, receivedMs: HOUR_MS, sinceMs: HOUR_MS, smallCents: undefined },
    ...{ ltvPpm: 700_000n, centsBeside: 2n, interestNumerator: 0n, interestPaidCents: 0n },
    warning: {
      ...{ tier: 1, cureMs: -5 * HOUR_MS, windowMs: undefined, reports: [] },
      pauses: [
        { kind: 'hold', agoMs: 5 * HOUR_MS, lastMs: 4 * HOUR_MS },
        { kind: 'outage', agoMs: HOUR_MS / 2, lastMs: HOUR_MS / 4 },
      ],
    },
  }
  const drawn = { BTC: price, ETH: undefined, USDC: undefined }
  const { source, shown } = await insertTenants([drawn], [entry], [])
  const { items } = await listAll({ figure: 'warnings' }, source)
  expect(items.map(({ warning }) => warning && new Date(warning.cureDeadline))).toEqual([
    addMs(NOW, 1.25 * HOUR_MS),
  ])
  expect(shown[0]?.deadline).toEqual(addMs(NOW, 1.25 * HOUR_MS))
})

/** All pages, three at a time. */
async function listAll(
  filter: BookFilter & { tenantId?: string },
  source: Parameters<typeof listBook>[1],
) {
  const pages: Awaited<ReturnType<typeof listBook>>[] = []
  let from: string | undefined
  do {
    const request = { limit: 3, ...(from !== undefined && { from }) }
    // A later page is of the first one's instant, whenever it is read.
    const at = addMs(NOW, pages.length * 30 * SECOND_MS)
    const wanted = { tenantId: undefined, ...filter, at }
    const page = await listBook(db, source, wanted, { request, cursors })
    expect(page.readAt).toEqual(NOW)
    pages.push(page)
    from = page.nextCursor
  } while (from !== undefined)
  const [first] = pages
  if (!first) throw new Error('no page')
  return { ...first, items: pages.flatMap(({ items }) => items) }
}

test('the bands of ratios meet at the lines of the ladder', () => {
  const lines = bandLines(DEFAULT_MARGIN_POLICY)
  expect(lines).toEqual(
    [40n, 50n, 60n, 65n, 70n, 75n, 80n, 83n, 100n].map((percent) => (percent * ONE_PPM) / 100n),
  )
})
