import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../../../src/core/time.ts'
import { viewFacility } from '../../../../src/domain/margin/facility-view.ts'
import { readLtv } from '../../../../src/domain/margin/history/read-ltv.ts'
import { takePoints } from '../../../../src/domain/margin/history/take-points.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { read } from '../../../support/lending/lending.ts'
import { addBorrowed } from '../../../support/lending/margin.ts'
import { openTenant } from '../../../support/lending/onboarding.ts'

const house = houseForEachTest()

const source = () => ({
  prices: house.prices,
  clockFor: async () => house.instant().now,
  isShared: false,
})

const take = (realNow = new Date()) =>
  takePoints(house.db, { source: source(), termsAt: house.context.termsAt, realNow })

const history = (facilityId: string, range: { from?: Date; to?: Date } = {}, tenantId?: string) => {
  const facility = { tenantId: tenantId ?? house.tenantId, facilityId }
  return readLtv(house.db, facility, range, house.instant().now)
}

test('a point has the debt, collateral and LTV that the facility shows at its instant', async () => {
  const { id } = await addBorrowed(house)
  house.market.set('BTC', '91234.56')
  house.advance(7 * HOUR_MS + 1_234)
  await take()
  const { now } = house.instant()
  const view = await viewFacility(house.db, house.context, await read(house, id), now)
  expect(await history(id)).toEqual({
    interval: 'hour',
    points: [
      {
        at: now,
        debtCents: view.outstanding.totalCents,
        collateralCents: view.valueCents,
        ltv: view.ltv,
      },
    ],
  })
  expect(view.ltv).not.toBe('0.000000')
})

test("each hour of the tenant's own time has one point, however often and by how many workers it is asked for", async () => {
  const { id } = await addBorrowed(house)
  await Promise.all([take(), take(), take()])
  await take()
  expect((await history(id)).points).toHaveLength(1)
  house.advance(HOUR_MS)
  await Promise.all([take(), take()])
  // A leap is one point: nothing was known of the hours between.
  house.advance(30 * HOUR_MS)
  await take()
  const { points } = await history(id)
  expect(points.map(({ at }) => at.getTime() - (points[0]?.at.getTime() ?? 0))).toEqual([
    0,
    HOUR_MS,
    31 * HOUR_MS,
  ])
})

test('the first point of a day is kept by the day, and read where hours are not', async () => {
  const { id } = await addBorrowed(house)
  const start = house.instant().now
  for (let hour = 0; hour < 50; hour += 1) {
    await take()
    house.advance(HOUR_MS)
  }
  const since = await history(id, { from: addMs(start, -60 * DAY_MS) })
  expect(since.interval).toBe('day')
  const midnight = (days: number) =>
    new Date(Math.floor(start.getTime() / DAY_MS + days) * DAY_MS).toISOString().slice(0, 13)
  expect(since.points.map(({ at }) => at.toISOString().slice(0, 13))).toEqual([
    start.toISOString().slice(0, 13),
    midnight(1),
    midnight(2),
  ])
  const from = addMs(start, 10 * HOUR_MS)
  const some = await history(id, { from, to: addMs(from, 2 * HOUR_MS) })
  expect(some).toMatchObject({ interval: 'hour', points: { length: 3 } })
})

test('a facility valued at old prices has no point, nor one without debt and collateral', async () => {
  const { id } = await addBorrowed(house)
  house.priceAgeMs = HOUR_MS
  await take()
  expect((await history(id)).points).toEqual([])
})

test("another tenant's facility has no history, and its points are of its own", async () => {
  const { id } = await addBorrowed(house)
  const stranger = await openTenant(house.db, house.instant().now)
  await take()
  expect((await history(id)).points).toHaveLength(1)
  expect((await history(id, {}, stranger)).points).toEqual([])
})
