import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../../../src/core/time.ts'
import { callAbout } from '../../../../src/domain/facilities/custody/custodian-call.ts'
import type { Custodian } from '../../../../src/domain/facilities/ports.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { type Lending, pass, repay, settle, usd } from '../../../support/lending/lending.ts'
import {
  addCritical,
  expectSound,
  ONE_BTC,
  readCalls,
  tick,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()
/** The calls about sales that have come to the custodian, in order, by what they ask. */
let asked: string[]
beforeEach(async () => {
  asked = []
  const { custodian } = lending.context
  const { sell, cancelSale } = custodian
  custodian.sell = async (call) => {
    asked.push(`sell ${call.callId.split('/').at(-1)}`)
    return await sell(call)
  }
  custodian.cancelSale = async (call) => {
    asked.push(`cancel ${call.callId.split('/').at(-1)}`)
    return await cancelSale(call)
  }
})

/** A call with its first order stored, which the custodian has treated so; 59,000 a bitcoin. */
async function addOrdered(fill: Lending['fills'][number]) {
  const facility = await addCritical(lending)
  lending.fills = [fill]
  await tick(lending)
  expect(await callOf(facility.id)).toMatchObject({ status: 'SELLING', sold: [] })
  expect(asked).toEqual(['sell 1'])
  asked = []
  return facility
}

async function callOf(facilityId: string) {
  const [call] = await readCalls(lending, facilityId)
  if (!call) throw new Error('there is no call')
  return call
}

async function salesOf(facilityId: string) {
  return await lending.db
    .selectFrom('margin_sales')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('number')
    .execute()
}

/** Repays at once, before the sale is evaluated again. */
async function repayNow(facilityId: string, cents: bigint): Promise<void> {
  await repay(lending, facilityId, usd(cents))
  await settle(lending)
}

describe('an order that the custodian has not acknowledged is evaluated again before it is placed again', () => {
  test('an unacknowledged order is placed again, under its id, where as much would still be sold', async () => {
    const { id } = await addOrdered('down')
    await pass(lending, 10_000, 1_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    expect(await salesOf(id)).toMatchObject([{ status: 'FILLED' }])
    expect(new Set(asked)).toEqual(new Set(['sell 1']))
    await expectSound(lending, id)
  })

  test('an unacknowledged order is cancelled after a repayment that clears the floor, and nothing is sold', async () => {
    const { id } = await addOrdered('down')
    await repayNow(id, 20_000_00n)
    await pass(lending, 30_000, 1_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
    expect(await salesOf(id)).toMatchObject([{ status: 'REFUSED' }])
    expect(asked).toEqual(['cancel 1'])
    await expectSound(lending, id)
  })

  test('an unacknowledged order is cancelled after the debt was paid off, without a price', async () => {
    const { id } = await addOrdered('down')
    lending.market.delete('BTC')
    await repayNow(id, 49_000_00n)
    await pass(lending, 30_000, 1_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
    expect(asked).toEqual(['cancel 1'])
    await expectSound(lending, id)
  })

  test('an unacknowledged order is cancelled while prices are stale, and planned again at the first fresh ones', async () => {
    const { id } = await addOrdered('down')
    lending.priceAgeMs = 301_000
    await pass(lending, MINUTE_MS, 1_000)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING', sold: [] })
    expect(asked).toEqual(['cancel 1'])
    lending.priceAgeMs = 0
    await pass(lending, MINUTE_MS, 1_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    expect(asked).toEqual(['cancel 1', 'sell 2'])
    await expectSound(lending, id)
  })

  test('an unacknowledged order is cancelled after a repayment that leaves less to sell, and only that is ordered', async () => {
    const { id } = await addOrdered('down')
    await repayNow(id, 5_000_00n)
    await pass(lending, 30_000, 1_000)
    const [first, second] = await salesOf(id)
    expect(first).toMatchObject({ status: 'REFUSED', filled_units: null })
    expect(second).toMatchObject({ status: 'FILLED', filled_units: second?.ordered_units })
    expect(second?.ordered_units).toBeLessThan(first?.ordered_units ?? 0n)
    expect(asked).toEqual(['cancel 1', 'sell 2'])
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    await expectSound(lending, id)
  })

  test('an unacknowledged order is cancelled where less is held by now, and only that is ordered', async () => {
    const { id, borrowerId } = await addOrdered('down')
    lending.held.set(borrowerId, [{ asset: 'BTC', units: ONE_BTC / 10n }])
    await pass(lending, 30_000, 1_000)
    const sales = await salesOf(id)
    expect(sales[0]).toMatchObject({ status: 'REFUSED' })
    expect(sales[1]).toMatchObject({ status: 'FILLED', filled_units: ONE_BTC / 10n })
    await expectSound(lending, id)
  })

  test('an unacknowledged order stays as it is while the custodian is away', async () => {
    const { id } = await addOrdered('down')
    lending.custodian.isDown = true
    await repayNow(id, 20_000_00n)
    await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
    expect(await salesOf(id)).toMatchObject([{ status: 'ORDERED' }])
    lending.custodian.isDown = false
    await pass(lending, 2 * 60 * MINUTE_MS, MINUTE_MS)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
    await expectSound(lending, id)
  })
})

describe('cancelling races the order', () => {
  test('an order that was executed while its answer was lost is not cancelled: the fill is booked, once', async () => {
    const { id } = await addOrdered('unanswered')
    await repayNow(id, 20_000_00n)
    await pass(lending, 30_000, 1_000)
    const [sale] = await salesOf(id)
    expect(sale).toMatchObject({ status: 'FILLED', filled_units: sale?.ordered_units })
    const call = await callOf(id)
    expect(call).toMatchObject({ status: 'COMPLETED', outcome: 'full' })
    expect(call.sold).toMatchObject([{ units: sale?.filled_units }])
    expect(asked).toEqual(['cancel 1'])
    await expectSound(lending, id)
  })

  test.each([
    ['arrives just before its cancellation: what was sold is booked', true],
    ['arrives after its cancellation: nothing is sold', false],
  ])('an order that %s', async (_, isFirst) => {
    const facility = await addOrdered('down')
    const { id } = facility
    const [order] = await salesOf(id)
    if (!order) throw new Error('there is no order')
    const late: Parameters<Custodian['sell']>[0] = {
      ...callAbout(facility, 'call/1/1', lending.now()),
      order: { asset: 'BTC', units: order.ordered_units, inKind: false },
      placeBy: new Date(order.ordered_at.getTime() + MINUTE_MS),
    }
    const { custodian } = lending.context
    const { sell, cancelSale } = custodian
    custodian.cancelSale = async (call) => {
      if (isFirst) await sell(late)
      const answer = await cancelSale(call)
      if (!isFirst) expect(await sell(late)).toMatchObject({ status: 'refused' })
      return answer
    }
    await repayNow(id, 20_000_00n)
    await pass(lending, 30_000, 1_000)
    const { outcome, sold } = await callOf(id)
    expect(outcome).toBe(isFirst ? 'full' : 'not_needed')
    expect(sold).toHaveLength(isFirst ? 1 : 0)
    await expectSound(lending, id)
  })
})

test('an order that the custodian has acknowledged is polled, not cancelled', async () => {
  const { id } = await addOrdered('pending')
  expect(await salesOf(id)).toMatchObject([{ status: 'ORDERED', acknowledged_at: lending.now() }])
  lending.priceAgeMs = 301_000
  await repayNow(id, 20_000_00n)
  await pass(lending, 30_000, 1_000)
  expect(new Set(asked)).toEqual(new Set(['sell 1']))
  expect(await callOf(id)).toMatchObject({ outcome: 'full', sold: [{ asset: 'BTC' }] })
  await expectSound(lending, id)
})

test('a custodian that sells more than was ordered is believed: it is booked, and over is the borrower’s', async () => {
  const facility = await addCritical(lending)
  lending.fills = [{ units: ONE_BTC }]
  await tick(lending)
  const call = await callOf(facility.id)
  expect(call).toMatchObject({ outcome: 'full', sold: [{ units: ONE_BTC }] })
  expect(call.surplusCents).toBeGreaterThan(0n)
  const [sale] = await salesOf(facility.id)
  expect(sale?.filled_units).toBeGreaterThan(sale?.ordered_units ?? 0n)
  await expectSound(lending, facility.id)
})
