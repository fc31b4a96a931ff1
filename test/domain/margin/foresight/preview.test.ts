import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Refusal } from '../../../../src/core/errors.ts'
import type { Amount } from '../../../../src/core/money.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { formatPrice } from '../../../../src/domain/collateral/prices.ts'
import { loadHoldings } from '../../../../src/domain/facilities/custody/holdings.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { scheduleEvaluation } from '../../../../src/domain/margin/evaluation/evaluate.ts'
import { viewFacility } from '../../../../src/domain/margin/facility-view.ts'
import type { ActRefusal, Acts } from '../../../../src/domain/margin/foresight/preview.ts'
import {
  type FacilityPreview,
  previewFacility,
} from '../../../../src/domain/margin/foresight/read-foresight.ts'
import type { SalePlan } from '../../../../src/domain/margin/sale-plan.ts'
import { runDeadlinesUntil } from '../../../../src/domain/work/deadlines.ts'
import {
  addFacility,
  draw,
  type Lending,
  openHousesInOneDatabase,
  pushSnapshot,
  read,
  repay,
  settle,
  usd,
  usdc,
} from '../../../support/lending/lending.ts'
import { ONE_BTC, readCalls, readWarning } from '../../../support/lending/margin.ts'
import { readEvents } from '../../../support/lending/onboarding.ts'

const openHouse = openHousesInOneDatabase()

const NOTHING: Acts = {
  deposit: [],
  withdrawal: [],
  repayment: undefined,
  draw: undefined,
  prices: new Map(),
  days: 0,
}

async function preview(
  lending: Lending,
  facilityId: string,
  acts: Partial<Acts>,
): Promise<FacilityPreview> {
  const { context, tenantId } = lending
  const reading = { ...context, tenantId, now: lending.now() }
  return await previewFacility(reading, facilityId, { ...NOTHING, ...acts })
}

/** Does the same in the house, in the same order; returns what was refused. */
async function act(lending: Lending, facility: Facility, acts: Acts): Promise<ActRefusal[]> {
  const refusals: ActRefusal[] = []
  const attempt = async (act: ActRefusal['act'], run: () => Promise<unknown>) => {
    try {
      await run()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refusals.push({ act, code: error.code, detail: error.message })
    }
    await settle(lending)
  }
  await moveCollateral(lending, facility, acts)
  const { repayment, draw: drawn } = acts
  if (repayment) await attempt('repayment', () => repay(lending, facility.id, repayment))
  if (drawn) await attempt('draw', () => draw(lending, facility.id, drawn))
  await setPrices(lending, acts.prices)
  return refusals
}

async function moveCollateral(
  lending: Lending,
  { borrowerId }: Facility,
  { deposit, withdrawal }: Acts,
): Promise<void> {
  if (deposit.length === 0 && withdrawal.length === 0) return
  const { db, tenantId } = lending
  const held = (await loadHoldings(db, tenantId, [borrowerId])).get(borrowerId)?.positions ?? []
  const unitsOf = new Map(held.map(({ asset, units }) => [asset, units]))
  const move = (asset: string, moved: bigint) =>
    unitsOf.set(asset, (unitsOf.get(asset) ?? 0n) + moved)
  for (const { asset, units } of deposit) move(asset, units)
  for (const { asset, units } of withdrawal) move(asset, -units)
  const positions = [...unitsOf].map(([asset, left]) => ({ asset, units: left }))
  // A microsecond after the last push, so that it is the newer one.
  const asOfMicros = BigInt(lending.now().getTime()) * 1_000n + 1n
  await pushSnapshot(lending, borrowerId, { asOfMicros, positions })
  await settle(lending)
}

async function setPrices(lending: Lending, prices: Acts['prices']): Promise<void> {
  if (prices.size === 0) return
  const { context, db, tenantId } = lending
  for (const [asset, price] of prices) lending.market.set(asset, formatPrice(price))
  await inTransaction(db, (tx) => scheduleEvaluation(tx, context, tenantId, lending.now()))
}

/** As the sandbox's clock: everything on the way happens at its own instant. */
async function leapTo(lending: Lending, until: Date): Promise<void> {
  const { db, tenantId, context } = lending
  const arriveAt = async (at: Date) => {
    lending.advance(at.getTime() - lending.now().getTime())
    return lending.instant()
  }
  const leap = { db, tenantId, handlers: context.deadlineHandlers, arriveAt }
  await runDeadlinesUntil(leap, { from: lending.now(), until, isOver: () => false })
  await arriveAt(until)
  await settle(lending)
}

const bitcoinAt = (usd: number) => ({ prices: new Map([['BTC', BigInt(usd) * 10n ** 8n]]) })

const units = (most: bigint) => fc.bigInt(1n, most)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const money: fc.Arbitrary<Amount> = fc.oneof(
  units(60_000_00n).map(usd),
  units(60_000n * 10n ** 6n).map(usdc),
)
const position = fc.oneof(
  units(ONE_BTC).map((held) => ({ asset: 'BTC', units: held })),
  units(20n * 10n ** 18n).map((held) => ({ asset: 'ETH', units: held })),
)
/** Often where a large draw is warned about and not critical. */
const price = fc.oneof(
  fc.integer({ min: 30_000, max: 110_000 }),
  fc.integer({ min: 60_000, max: 75_000 }),
)
const days = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 400 }),
)
const few = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.tuple(arbitrary))

const acts: fc.Arbitrary<Acts> = fc.record({
  deposit: few(position),
  withdrawal: few(position),
  repayment: optional(money),
  draw: optional(money),
  prices: fc.oneof(
    fc.constant(new Map<string, bigint>()),
    price.map((usdOfBtc) => bitcoinAt(usdOfBtc).prices),
  ),
  days,
})

/** A loan in some state: healthy, warned, cured, nearly due, or without a draw. */
const beginnings = fc.record({
  drawn: fc.oneof(fc.constant(0n), units(48_000_00n), fc.bigInt(40_000_00n, 48_000_00n)),
  price: fc.oneof(fc.constant(100_000), price),
  days: fc.constantFrom(0, 0, 1, 2, 3),
})

/** An approved facility after its beginning; undefined where that has closed it. */
async function begin(
  lending: Lending,
  { drawn, price, days }: { drawn: bigint; price: number; days: number },
): Promise<Facility | undefined> {
  const { id } = await addFacility(lending, { limitCents: 48_000_00n })
  if (drawn > 0n) await draw(lending, id, usd(drawn))
  await settle(lending)
  await setPrices(lending, bitcoinAt(price).prices)
  await leapTo(lending, addMs(lending.now(), MINUTE_MS + days * DAY_MS))
  const facility = await read(lending, id)
  return facility.state === 'APPROVED' ? facility : undefined
}

async function marginEventsOf({ db, tenantId }: Lending) {
  return (await readEvents(db, tenantId)).filter(({ type }) =>
    /^margin_(warning|notice)/.test(type),
  )
}

const BORROWED = { drawn: 48_000_00n, price: 100_000, days: 0 }
const WARNED = { ...BORROWED, price: 69_000 }
const bitcoin = (held: bigint) => [{ asset: 'BTC', units: held }]

/** Each of SHOWN at least once. */
const EXAMPLES: [typeof BORROWED, Acts][] = [
  [BORROWED, { ...NOTHING, ...bitcoinAt(69_000), draw: usd(1n), withdrawal: bitcoin(ONE_BTC) }],
  [BORROWED, { ...NOTHING, ...bitcoinAt(55_000), withdrawal: bitcoin(2n * ONE_BTC) }],
  [WARNED, { ...NOTHING, draw: usd(1n), deposit: bitcoin(ONE_BTC), days: 1 }],
  [WARNED, { ...NOTHING, repayment: usd(100_00n), draw: usd(1n), days: 3 }],
  [BORROWED, { ...NOTHING, ...bitcoinAt(80_000) }],
  [
    { ...BORROWED, drawn: 0n },
    { ...NOTHING, repayment: usdc(1n), draw: usd(40_000_00n) },
  ],
]

const SHOWN = [
  'margin_notice.approaching',
  'margin_warning.raised',
  'margin_warning.cured',
  'margin_warning.escalated',
  'draws_blocked',
  'credit_limit_exceeded',
  'facility_not_approved',
  'below_floor',
  'not_held',
  'HEALTHY',
  'WARNING',
  'MARGIN_CALL',
]

test('what a preview shows is what happens when the same is done', async () => {
  const seen = new Set<string>()
  const each = fc.asyncProperty(beginnings, acts, async (beginning, given) => {
    await using lending = await openHouse({ isSandbox: true })
    const facility = await begin(lending, beginning)
    if (!facility) return
    const before = (await marginEventsOf(lending)).length
    const shown = await preview(lending, facility.id, given)
    const isHeld = shown.refusals.some(({ act }) => act === 'withdrawal')
    const refused = await act(lending, facility, isHeld ? { ...given, withdrawal: [] } : given)
    await leapTo(lending, shown.at)
    expect(shown.refusals.filter(({ act }) => act !== 'withdrawal')).toEqual(refused)
    const happened = (await marginEventsOf(lending)).slice(before)
    expect(shown.events.map(toPlain)).toEqual(happened.map(toPlain))
    expect(shown.view.facility.refundDueCents).toBe(await readRefund(lending))
    if (shown.sale) await expectCall(lending, facility.id, shown.sale)
    else await expectState(lending, facility.id, shown)
    for (const { type } of shown.events) seen.add(type)
    for (const { code } of shown.refusals) seen.add(code)
    seen.add(shown.view.health)
  })
  // One seed: each of the outcomes below must be among what is drawn.
  await fc.assert(each, { numRuns: 30, seed: 7, examples: EXAMPLES })
  expect([...seen]).toEqual(expect.arrayContaining(SHOWN))
}, 300_000)

/** Of the one repayment, in cents. */
async function readRefund({ db, tenantId }: Lending): Promise<bigint> {
  const applied = (await readEvents(db, tenantId)).find(({ type }) => type === 'repayment.applied')
  const { refund_due: refund } = (applied?.data.allocation ?? {}) as Record<string, Money>
  return BigInt((refund?.amount ?? '0').replace('.', ''))
}

type Money = { amount: string }

function toPlain(event: { type: string; data: object; occurredAt?: Date; occurred_at?: string }) {
  const at = event.occurredAt?.toISOString() ?? event.occurred_at
  return { type: event.type, at, data: event.data }
}

async function expectState(
  lending: Lending,
  facilityId: string,
  { view, warning }: FacilityPreview,
): Promise<void> {
  const { db, context } = lending
  const facility = await read(lending, facilityId)
  const now = await viewFacility(db, context, facility, lending.now())
  expect({ ...view, facility: balanceOf(view.facility) }).toEqual({
    ...now,
    facility: balanceOf(facility),
  })
  if (!warning) return
  const { number, ifEscalated, ...shown } = warning
  const actual = await readWarning(lending, facilityId, number)
  expect(actual).toMatchObject({ ...shown, status: 'OPEN' })
  const saleCents = ifEscalated.orders.reduce((sum, order) => sum + order.grossCents, 0n)
  expect(actual.ifEscalated?.saleCents).toBe(saleCents)
}

/** Without the refund, which the house has paid out by then. */
function balanceOf({ debt }: Facility) {
  return { principalCents: debt.principalCents, interestPaidCents: debt.interestPaidCents }
}

async function expectCall(lending: Lending, facilityId: string, sale: SalePlan): Promise<void> {
  const [call] = await readCalls(lending, facilityId)
  expect(sumByAsset(call?.planned ?? [])).toEqual(sumByAsset(sale.orders))
}

const sumByAsset = (orders: readonly { asset: string; units: bigint }[]) =>
  [...Map.groupBy(orders, ({ asset }) => asset)].map(([asset, ofAsset]) => {
    return { asset, units: ofAsset.reduce((sum, { units }) => sum + units, 0n) }
  })

const halfABitcoin = { deposit: [{ asset: 'BTC', units: ONE_BTC / 2n }] }

test.each([
  ['collateral', 'the whole window', { cure: halfABitcoin, fall: bitcoinAt(46_000), hours: 48 }],
  ['price', 'what was left', { cure: bitcoinAt(100_000), fall: bitcoinAt(70_000), hours: 8 }],
] as const)(
  'after a cure by %s a relapse gets %s, in the preview and in the house',
  async (_cause, _left, { cure, fall, hours }) => {
    await using lending = await openHouse({ isSandbox: true })
    const begun = await begin(lending, { drawn: 48_000_00n, price: 70_000, days: 0 })
    const facility = begun ?? expect.unreachable('The beginning has closed it.')
    await leapTo(lending, addMs(lending.now(), 40 * HOUR_MS))
    await act(lending, facility, { ...NOTHING, ...cure })
    await leapTo(lending, addMs(lending.now(), MINUTE_MS))
    const shown = await preview(lending, facility.id, fall)
    await act(lending, facility, { ...NOTHING, ...fall })
    await leapTo(lending, shown.at)
    const { cureDeadline, raisedAt } = await readWarning(lending, facility.id, 2)
    expect(shown.warning?.cureDeadline).toEqual(cureDeadline)
    expect(Math.round((+cureDeadline - +raisedAt) / HOUR_MS)).toBe(hours)
  },
)

test('a preview that cures by a deposit and falls again gives the whole window', async () => {
  await using lending = await openHouse({ isSandbox: true })
  const begun = await begin(lending, { drawn: 48_000_00n, price: 70_000, days: 0 })
  const facility = begun ?? expect.unreachable('The beginning has closed it.')
  await leapTo(lending, addMs(lending.now(), 40 * HOUR_MS))
  const acts = { ...NOTHING, ...halfABitcoin, ...bitcoinAt(46_000) }
  const shown = await preview(lending, facility.id, acts)
  expect(shown.events.map(({ type }) => type)).toEqual([
    'margin_warning.cured',
    'margin_warning.raised',
  ])
  expect(shown.warning?.cureDeadline).toEqual(addMs(shown.at, 48 * HOUR_MS))
  await act(lending, facility, acts)
  await leapTo(lending, shown.at)
  expect(await readWarning(lending, facility.id, 2)).toMatchObject({
    cureDeadline: shown.warning?.cureDeadline,
  })
})
