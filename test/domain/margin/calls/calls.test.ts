import { describe, expect, test } from 'vitest'
import { ONE_PPM } from '../../../../src/core/ratio.ts'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { loadHoldings } from '../../../../src/domain/facilities/custody/holdings.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { escalateWarning } from '../../../../src/domain/margin/calls/escalate.ts'
import { sellCollateral } from '../../../../src/domain/margin/calls/sell-collateral.ts'
import { evaluateTenant } from '../../../../src/domain/margin/evaluation/evaluate.ts'
import { viewFacility } from '../../../../src/domain/margin/facility-view.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  addEligibleBorrower,
  addFacility,
  announce,
  applyFor,
  dataOf,
  draw,
  type Lending,
  pass,
  pushPortfolio,
  read,
  repay,
  report,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  btc,
  expectSound,
  holdPrice,
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarning,
  readWarnings,
  tick,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()

async function heldBtc(borrowerId: string) {
  const all = await loadHoldings(lending.db, lending.tenantId, [borrowerId])
  return all.get(borrowerId)?.positions.find(({ asset }) => asset === 'BTC')?.units
}

async function viewOf(facilityId: string) {
  const { db, context } = lending
  const view = await viewFacility(db, context, await read(lending, facilityId), lending.now())
  return view
}

async function callOf(facilityId: string) {
  const [call] = await readCalls(lending, facilityId)
  if (!call) throw new Error('there is no call')
  return call
}

function readSales() {
  return lending.db
    .selectFrom('margin_sales')
    .selectAll()
    .where('tenant_id', '=', lending.tenantId)
    .orderBy('number')
    .execute()
}

describe('a margin call', () => {
  test('a margin call sells down to the target, pays costs, interest and principal, and the ladder starts afresh', async () => {
    const { id, borrowerId } = await addCritical(lending)
    await tick(lending)
    const call = await callOf(id)
    expect(call).toMatchObject({ number: 1, marginWarningNumber: 1, status: 'COMPLETED' })
    expect(call).toMatchObject({ outcome: 'partial', surplusCents: 0n, deficitCents: 0n })
    const [sold] = call.sold
    const proceeds = sold?.proceedsCents ?? 0n
    expect(call.costsCents).toBe((proceeds + 99n) / 100n)
    expect(call.interestCents + call.principalCents).toBe(proceeds - call.costsCents)
    // It cost one per cent, not the two that were planned: a little below the target of 0.55.
    const view = await viewOf(id)
    const ltvPpm = ((view?.outstanding.totalCents ?? 0n) * ONE_PPM) / (view?.valueCents ?? 1n)
    expect(ltvPpm).toBeLessThanOrEqual(550_000n)
    expect(ltvPpm).toBeGreaterThan(530_000n)
    expect(view?.health).toBe('HEALTHY')
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - (sold?.units ?? 0n))
    expect(await dataOf(lending, 'margin_call.started', id)).toMatchObject({
      ...{ number: 1, margin_warning_number: 1, target_ltv: '0.55' },
      planned: [{ asset: 'BTC' }],
    })
    expect(await dataOf(lending, 'margin_call.completed', id)).toMatchObject({
      number: 1,
      outcome: 'partial',
      surplus_usd: '0.00',
      deficit_usd: '0.00',
    })
    // The floor is that of a facility without a warning again.
    const { debt, custodianFloorCents } = await read(lending, id)
    const least = (totalDebtCents(debt, lending.now()) * 10n) / 7n
    expect(custodianFloorCents).toBeGreaterThanOrEqual(least)
    expect(custodianFloorCents).toBeLessThan(least + 100_00n)
    await expectSound(lending, id)

    await holdPrice(lending, '43000')
    expect(await readWarning(lending, id, 2)).toMatchObject({ number: 2, status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('a margin call is not needed where the floor is clear by the time it starts, and sells nothing', async () => {
    const { id } = await addCritical(lending)
    const { db, context, tenantId } = lending
    await evaluateTenant(db, context, tenantId, lending.instant())
    await escalateWarning(context, tenantId, id)
    expect(await callOf(id)).toMatchObject({ status: 'PENDING' })
    lending.market.set('BTC', '100000')
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
    expect((await callOf(id)).startedAt).toBeUndefined()
    expect(await marginEvents(lending, id)).toEqual([
      'warning.raised 1',
      'warning.escalated 1',
      'call.completed 1',
    ])
    await expectSound(lending, id)
  })

  test('an order that reaches the custodian too late is not filled, but planned again', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['down', 'down', 'down']
    await tick(lending)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING' })
    lending.market.set('BTC', '100000')
    await repay(lending, id, usd(47_000_00n))
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
    await expectSound(lending, id)
  })

  test('a margin call deeper than 0.95 pays the debt off, and what is over is the borrower’s', async () => {
    const { id } = await addBorrowed(lending)
    lending.market.set('BTC', '51500')
    lending.advance(MINUTE_MS)
    // Sold far better than the price that counted.
    lending.fills = [{ proceedsCents: 60_000_00n }]
    await tick(lending)
    const call = await callOf(id)
    expect(call.outcome).toBe('full')
    expect(call.surplusCents).toBe(60_000_00n - 600_00n - call.interestCents - call.principalCents)
    const refund = await lending.db
      .selectFrom('refunds')
      .selectAll()
      .where('facility_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(refund).toMatchObject({ status: 'PAID' })
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED', refundDueCents: 0n })
    await expectSound(lending, id)
  })

  test('a margin call over collateral that does not cover the debt charges the rest off, and closes the facility', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '40000')
    const call = await callOf(id)
    // 40,000.00 less one per cent, for 48,000.01.
    expect(call).toMatchObject({
      outcome: 'deficit',
      sold: [{ asset: 'BTC', units: ONE_BTC, proceedsCents: 40_000_00n }],
      costsCents: 400_00n,
      deficitCents: 8_400_01n,
    })
    expect(await marginEvents(lending, id)).toEqual([
      'warning.raised 1',
      'warning.escalated 1',
      'call.started 1',
      'call.completed 1',
    ])
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'charged_off' })
    expect(await dataOf(lending, 'facility.closed', id)).toMatchObject({ reason: 'charged_off' })
    await holdPrice(lending, '1')
    await pass(lending, 100 * HOUR_MS, 10 * HOUR_MS)
    expect(await readWarnings(lending, id)).toHaveLength(1)
    await expectSound(lending, id)
  })

  test('a margin call takes dollars first, then USDC, in kind and without costs; then what has the highest haircut', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    await pushPortfolio(lending, borrowerId, [
      { asset: 'BTC', units: ONE_BTC / 2n },
      { asset: 'ETH', units: 10n ** 19n },
      { asset: 'USD', units: 1_000_00n },
      { asset: 'USDC', units: 1_000_000_000n },
    ])
    const { id } = await applyFor(lending, borrowerId, 43_000_00n)
    await settle(lending)
    await draw(lending, id, usd(43_000_00n))
    await settle(lending)
    lending.market.set('BTC', '10000')
    lending.market.set('ETH', '3500')
    await tick(lending, MINUTE_MS)
    const sold = (await callOf(id)).sold.map(({ asset }) => asset)
    expect(sold).toEqual(['USD', 'USDC', 'ETH', 'BTC'])
    const rows = await readSales()
    expect(rows.slice(0, 2)).toMatchObject([
      { in_kind: true, costs_cents: 0n, proceeds_cents: 1_000_00n },
      { in_kind: true, costs_cents: 0n, proceeds_cents: 1_000_00n },
    ])
    await expectSound(lending, id)
  })
})

describe('orders follow from what was actually sold', () => {
  test('after a partial fill of an order the rest is ordered again', async () => {
    const { id, borrowerId } = await addCritical(lending)
    lending.fills = [{ units: ONE_BTC / 10n }, { units: ONE_BTC / 10n }]
    await tick(lending)
    const call = await callOf(id)
    expect(call).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    const rows = await readSales()
    expect(rows.length).toBe(3)
    const view = await viewOf(id)
    expect(view?.health).toBe('HEALTHY')
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - (call.sold[0]?.units ?? 0n))
    await expectSound(lending, id)
  })

  test('after a sale for less than quoted more is ordered', async () => {
    const { id } = await addCritical(lending)
    lending.fills = [{ proceedsCents: 10_000_00n }]
    await tick(lending)
    const rows = await readSales()
    expect(rows.length).toBeGreaterThan(1)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED' })
    await expectSound(lending, id)
  })

  test('an order that is filled with nothing is placed again later, not at once and not forever', async () => {
    const { id } = await addCritical(lending)
    lending.fills = Array.from({ length: 3 }, () => ({ units: 0n, proceedsCents: 0n }))
    await tick(lending)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING', sold: [] })
    await pass(lending, 5 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    await expectSound(lending, id)
  })

  test('an order that is refused, pending or unanswered is retried until it is sold, once', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['refused', 'pending', 'down', 'refused']
    await tick(lending)
    await pass(lending, 10 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    const rows = await readSales()
    expect(rows.map(({ status }) => status)).toEqual(['REFUSED', 'REFUSED', 'FILLED'])
    await expectSound(lending, id)
  })

  test('an order that was refused and is no longer needed sold nothing, and the call reports that', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['refused']
    await tick(lending)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING' })
    lending.market.set('BTC', '100000')
    await pass(lending, 5 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ outcome: 'not_needed', sold: [] })
    await expectSound(lending, id)
  })

  test('no order is placed while the floor is clear at the highest price of the window, whatever the latest is', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['refused']
    await tick(lending)
    lending.market.set('BTC', '100000')
    lending.advance(28_000)
    lending.market.set('BTC', '10000')
    await pass(lending, 5_000, 1_000)
    expect(await callOf(id)).toMatchObject({ outcome: 'not_needed', sold: [] })
    await expectSound(lending, id)
  })

  test('no order is placed while prices are stale', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['refused']
    await tick(lending)
    lending.priceAgeMs = 301_000
    const asked = lending.custodian.calls.length
    await pass(lending, 10 * MINUTE_MS, 5_000)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING', sold: [] })
    expect(lending.custodian.calls.length - asked).toBeLessThanOrEqual(20)
    lending.priceAgeMs = 0
    await pass(lending, MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'partial' })
    await expectSound(lending, id)
  })

  test('orders follow what the custodian holds, not what was pushed', async () => {
    for (const units of [ONE_BTC / 2n, 3n * ONE_BTC]) {
      const { id, borrowerId } = await addBorrowed(lending)
      lending.advance(1)
      await pushPortfolio(lending, borrowerId, btc(2n * ONE_BTC))
      await settle(lending)
      lending.held.set(borrowerId, btc(units))
      await holdPrice(lending, '19000')
      const { sold } = await callOf(id)
      expect(sold[0]?.units).toBeLessThanOrEqual(units)
      await expectSound(lending, id)
    }
  })
})

describe('what was sold', () => {
  test('sold collateral counts as gone until a snapshot taken after the sale shows it, and never twice', async () => {
    const { id, borrowerId } = await addCritical(lending)
    await tick(lending)
    const { sold } = await callOf(id)
    const soldUnits = sold[0]?.units ?? 0n
    const soldAt = lending.now()
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - soldUnits)

    lending.advance(10_000)
    await pushPortfolio(lending, borrowerId, btc(ONE_BTC), new Date(soldAt.getTime() - 1))
    await settle(lending)
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - soldUnits)

    await pushPortfolio(lending, borrowerId, btc(ONE_BTC - soldUnits), soldAt)
    await settle(lending)
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - soldUnits)
    await expectSound(lending, id)
  })

  test('collateral that was sold is not in a snapshot that came before it, however far ahead its as_of is', async () => {
    const { id, borrowerId } = await addCritical(lending)
    await pushPortfolio(lending, borrowerId, btc(ONE_BTC), new Date(lending.now().getTime() + 2))
    await tick(lending, 1)
    const { sold } = await callOf(id)
    expect(sold).toHaveLength(1)
    expect(await heldBtc(borrowerId)).toBe(ONE_BTC - (sold[0]?.units ?? 0n))
    await expectSound(lending, id)
  })

  test('a sale happened when the custodian executed it, not when it reported it', async () => {
    const { id, borrowerId } = await addCritical(lending)
    const orderedAt = lending.now()
    lending.fills = ['pending']
    await tick(lending)
    const executedAt = addMs(orderedAt, 2_000)
    lending.fills = [{ executedAt }]

    // Taken before the execution: the sale is not in it, though it came when all was done.
    lending.advance(1_000)
    const [before, after] = [lending.now(), addMs(orderedAt, 3_000)]
    await pushPortfolio(lending, borrowerId, btc(2n * ONE_BTC), before)
    lending.advance(9_000)
    await settle(lending)
    const { sold } = await callOf(id)
    const soldUnits = sold[0]?.units ?? 0n
    const [row] = await readSales()
    expect(row).toMatchObject({ status: 'FILLED', executed_at: executedAt })
    expect(await heldBtc(borrowerId)).toBe(2n * ONE_BTC - soldUnits)

    // Taken after it, and before the custodian's answer: the sale is in it.
    await pushPortfolio(lending, borrowerId, btc(2n * ONE_BTC - soldUnits), after)
    expect(await heldBtc(borrowerId)).toBe(2n * ONE_BTC - soldUnits)
    await expectSound(lending, id)
  })

  test.each([
    ['before the order', -3_000],
    ['after the answer', 3_000],
  ])(
    'a sale is dated between order and answer, though the custodian reports %s',
    async (_, skewMs) => {
      const { id, borrowerId } = await addCritical(lending)
      const orderedAt = addMs(lending.now(), 1)
      lending.fills = [{ executedAt: addMs(orderedAt, skewMs) }]
      await tick(lending, 1)
      const [row] = await readSales()
      expect(row).toMatchObject({ status: 'FILLED', executed_at: orderedAt })
      const { sold } = await callOf(id)
      expect(await heldBtc(borrowerId)).toBe(ONE_BTC - (sold[0]?.units ?? 0n))
      await expectSound(lending, id)
    },
  )

  test('a sale pays from the instant of what was booked before it, though its own was read sooner', async () => {
    const { id } = await addCritical(lending)
    lending.fills = ['pending', 'pending']
    await tick(lending)
    await repay(lending, id, usd(1_000_00n))
    await settle(lending)
    const repaidAt = lending.now()
    lending.advance(-500)
    await sellCollateral(lending.context, lending.tenantId, id)
    const movements = await lending.db
      .selectFrom('principal_movements')
      .select(['source_id', 'effective_at'])
      .where('source_id', 'like', 'sale/%')
      .where('tenant_id', '=', lending.tenantId)
      .execute()
    expect(movements).toEqual([{ source_id: 'sale/1/1', effective_at: repaidAt }])
    lending.advance(10_500)
    await settle(lending)
    await expectSound(lending, id)
  })

  test('a sale before a snapshot that came while the order was pending is in that snapshot', async () => {
    const { id, borrowerId } = await addCritical(lending)
    const orderedAt = lending.now()
    lending.fills = ['pending']
    await tick(lending)
    lending.fills = [{ executedAt: addMs(orderedAt, 1_000) }]
    const [order] = await readSales()
    const left = ONE_BTC - (order?.ordered_units ?? 0n)
    lending.advance(2_000)
    await pushPortfolio(lending, borrowerId, btc(left))
    await settle(lending)
    lending.advance(8_000)
    await settle(lending)
    expect(await callOf(id)).toMatchObject({ outcome: 'partial', sold: [{ asset: 'BTC' }] })
    expect(await heldBtc(borrowerId)).toBe(left)
    await expectSound(lending, id)
  })

  test('collateral that was sold is no collateral for a draw either', async () => {
    const { id } = await addCritical(lending)
    await tick(lending)
    const { debt } = await read(lending, id)
    const owed = totalDebtCents(debt, lending.now())
    const value = (await viewOf(id))?.valueCents ?? 0n
    // With what was sold this would be well below a half.
    await repay(lending, id, usd(owed - (value * 45n) / 100n))
    await settle(lending)
    await expect(draw(lending, id, usd((value * 6n) / 100n))).rejects.toMatchObject({
      code: 'draws_blocked',
    })
    await draw(lending, id, usd((value * 4n) / 100n))
    await expectSound(lending, id)
  })
})

describe('while a call lives', () => {
  test('while a call lives no warning is raised, nothing is drawn, and repayments are accepted', async () => {
    const { id } = await addCritical(lending)
    lending.fills = Array.from({ length: 4 }, () => 'refused' as const)
    await tick(lending)
    expect((await viewOf(id))?.health).toBe('MARGIN_CALL')
    await holdPrice(lending, '58000')
    expect(await readWarnings(lending, id)).toHaveLength(1)
    await expect(draw(lending, id, usd(100n))).rejects.toMatchObject({ code: expect.any(String) })
    await repay(lending, id, usd(20_000_00n))
    await pass(lending, 10 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ outcome: 'not_needed', sold: [] })
    expect(await readWarnings(lending, id)).toHaveLength(1)
    await expectSound(lending, id)
  })

  test('a call paid off by the sale of all collateral waits for a draw in progress, which is owed then', async () => {
    const { id } = await addFacility(lending, { limitCents: 48_000_00n })
    await draw(lending, id, usd(40_000_00n))
    await settle(lending)
    lending.payments.isDown = true
    await draw(lending, id, usd(8_000_00n))
    await settle(lending)
    lending.market.set('BTC', '40500')
    await tick(lending, MINUTE_MS)
    await pass(lending, HOUR_MS, 5 * MINUTE_MS)
    expect(await callOf(id)).toMatchObject({ status: 'SELLING', sold: [{ units: ONE_BTC }] })
    lending.payments.isDown = false
    await pass(lending, HOUR_MS, 5 * MINUTE_MS)
    expect(await callOf(id)).toMatchObject({ outcome: 'deficit' })
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'charged_off' })
    await expectSound(lending, id)
  })

  test('a call ends without a sale when the debt is paid off', async () => {
    const { id } = await addCritical(lending)
    lending.fills = Array.from({ length: 4 }, () => 'refused' as const)
    await tick(lending)
    await repay(lending, id, usd(49_000_00n))
    await pass(lending, 10 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', sold: [] })
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED', refundDueCents: 0n })
    await expectSound(lending, id)
  })

  test.each([
    ['without a price', (house: Lending) => house.market.delete('BTC')],
    ['without the custodian', (house: Lending) => Object.assign(house.custodian, { isDown: true })],
  ])('a call ends when the debt is paid off %s', async (_, takeAway) => {
    const { id } = await addCritical(lending)
    lending.fills = Array.from({ length: 4 }, () => 'refused' as const)
    await tick(lending)
    takeAway(lending)
    lending.advance(HOUR_MS)
    await repay(lending, id, usd(49_000_00n))
    await pass(lending, 10 * MINUTE_MS, 10_000)
    expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'not_needed', sold: [] })
  })
})

async function repaymentOf(facilityId: string) {
  return await lending.db
    .selectFrom('repayments')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow()
}

test('nothing is charged off while the treasury still checks for reported money', async () => {
  const { id } = await addBorrowed(lending)
  lending.payments.isDown = true
  await repay(lending, id, usd(5_000_00n), 'slow-wire')
  await holdPrice(lending, '30000')
  const { sold, costsCents } = await callOf(id)
  expect(await callOf(id)).toMatchObject({ status: 'SELLING', sold: [{ units: ONE_BTC }] })
  lending.payments.isDown = false
  await pass(lending, HOUR_MS, HOUR_MS / 12)
  const repayment = await repaymentOf(id)
  expect(repayment).toMatchObject({ status: 'APPLIED', refund_cents: 0n })
  const { outcome, deficitCents, interestCents, principalCents } = await callOf(id)
  expect(outcome).toBe('deficit')
  expect(interestCents + principalCents).toBe((sold[0]?.proceedsCents ?? 0n) - costsCents)
  expect(deficitCents).toBeLessThan(48_010_00n - 5_000_00n - interestCents - principalCents)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
  await expectSound(lending, id)
})

test('a call that waits for money does not poll the custodian, and ends as soon as the money is known', async () => {
  const { id } = await addBorrowed(lending)
  lending.payments.next = Array.from({ length: 1_000 }, () => 'pending' as const)
  await repay(lending, id, usd(5_000_00n), 'slow-wire')
  await holdPrice(lending, '30000')
  const questions = () => lending.custodian.calls.filter((one) => one.startsWith(`${id}/sale/`))
  const before = questions().length
  await pass(lending, 10 * MINUTE_MS, 10_000)
  expect(await callOf(id)).toMatchObject({ status: 'SELLING' })
  expect(questions().length - before).toBeLessThanOrEqual(2)
  lending.payments.next = []
  await pass(lending, 10_000, 5_000)
  expect(await repaymentOf(id)).toMatchObject({ status: 'APPLIED' })
  expect(await callOf(id)).toMatchObject({ status: 'COMPLETED', outcome: 'deficit' })
  expect(questions().length - before).toBeLessThanOrEqual(3)
})

test('money that is reported after a debt was charged off recovers it, and is no refund', async () => {
  const { id } = await addBorrowed(lending)
  const late = await announce(lending, id, usd(5_000_00n))
  await holdPrice(lending, '30000')
  expect(await callOf(id)).toMatchObject({ outcome: 'deficit' })
  await report(lending, late, 'late-wire')
  await pass(lending, HOUR_MS, HOUR_MS / 12)
  expect(await repaymentOf(id)).toMatchObject({ status: 'APPLIED', refund_cents: 0n })
  expect(await read(lending, id)).toMatchObject({
    state: 'CLOSED',
    refundDueCents: 0n,
    chargedOff: { recoveredCents: 5_000_00n },
  })
  await expectSound(lending, id)
})

test('a draw that is paid out after the price has fallen is evaluated when it is owed', async () => {
  const { id } = await addBorrowed(lending, 48_500_00n)
  await repay(lending, id, usd(47_000_00n))
  await settle(lending)
  lending.payments.isDown = true
  await draw(lending, id, usd(46_000_00n))
  await settle(lending)
  await holdPrice(lending, '66000')
  expect(await readWarnings(lending, id)).toEqual([])
  lending.payments.isDown = false
  await pass(lending, MINUTE_MS)
  expect(await readWarnings(lending, id)).toMatchObject([{ number: 1 }])
  await expectSound(lending, id)
})
