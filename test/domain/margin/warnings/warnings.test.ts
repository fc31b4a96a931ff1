import { describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  announce,
  dataOf,
  draw,
  pass,
  pushPortfolio,
  read,
  repay,
  report,
  requestClosing,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
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

describe('a warning is raised', () => {
  test('a warning is raised when a price has held below the floor for a minute, not before', async () => {
    const { id } = await addBorrowed(lending)
    lending.market.set('BTC', '68000')
    await tick(lending)
    await tick(lending, MINUTE_MS - 1)
    expect(await readWarnings(lending, id)).toEqual([])
    await tick(lending, 1)
    const now = lending.now()
    expect(await readWarning(lending, id)).toMatchObject({
      number: 1,
      tier: 1,
      status: 'OPEN',
      raisedAt: now,
      cureDeadline: addMs(now, 48 * HOUR_MS),
      // 48,000 and 13.70 of interest for the minute, 0.0091…: 48,000.01 over 68,000 · 0.97, up.
      ltvAtRaise: '0.727714',
      latestLtv: '0.727714',
      windowDeadline: addMs(now, 48 * HOUR_MS),
      extendedSeconds: 0,
    })
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1'])
    await expectSound(lending, id)
  })

  test('no warning is raised by a single bad tick', async () => {
    const { id } = await addBorrowed(lending)
    await tick(lending, MINUTE_MS)
    lending.market.set('BTC', '1000')
    await tick(lending)
    lending.market.set('BTC', '100000')
    await tick(lending, 10_000)
    for (let ticks = 0; ticks < 12; ticks += 1) await tick(lending, 10_000)
    expect(await readWarnings(lending, id)).toEqual([])
    await expectSound(lending, id)
  })

  test('a warning is raised at once by a withdrawal', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    lending.advance(1_000)
    await pushPortfolio(lending, borrowerId, btc((ONE_BTC * 7n) / 10n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ tier: 1, status: 'OPEN' })
    await expectSound(lending, id)
  })

  test('a warning is raised by interest alone, at the very instant at which it breaches, though nothing else happens', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '70693')
    expect(await readWarnings(lending, id)).toEqual([])
    await pass(lending, 10 * HOUR_MS, HOUR_MS / 4)
    const [warning] = await readWarnings(lending, id)
    expect(warning).toMatchObject({ tier: 1, status: 'OPEN', ltv_at_raise: '0.700001' })
    await expectSound(lending, id)
    await pushPortfolio(lending, borrowerId, btc(2n * ONE_BTC))
    await settle(lending)
  })

  test('a warning is raised with what cures it: the least that is asked clears the floor when it arrives', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    const { cureAmountCents, cureDeadline } = await readWarning(lending, id)
    expect(await dataOf(lending, 'margin_warning.raised', id)).toMatchObject({
      facility_id: id,
      number: 1,
      tier: 1,
      // 48,000.01 with three days of interest is 48,039.47; less 0.60 of 65,960.00.
      cure_amount: { amount: '8463.47', asset: 'USD' },
      deadline: cureDeadline.toISOString(),
    })
    expect(cureAmountCents).toBe(8_463_47n)
    await pass(lending, 48 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await repay(lending, id, usd(8_463_47n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'repayment',
      cureAmountCents: 0n,
      cureCollateralCents: 0n,
    })
    await expectSound(lending, id)
  })

  test('no warning is raised on a debt below ten dollars or on collateral without value', async () => {
    const small = await addBorrowed(lending, 1_000_00n)
    await repay(lending, small.id, usd(995_00n))
    await settle(lending)
    const bare = await addBorrowed(lending)
    lending.advance(1)
    await pushPortfolio(lending, bare.borrowerId, [{ asset: 'UNKNOWN', units: 1n }])
    await settle(lending)
    await holdPrice(lending, '12')
    expect(await readWarnings(lending, small.id)).toEqual([])
    expect(await readWarnings(lending, bare.id)).toEqual([])
    lending.market.set('BTC', '100000')
    await tick(lending, 2 * MINUTE_MS)
  })
})

describe('a warning that gets worse', () => {
  test('a warning that gets worse keeps number, time and ratio of its raise; tier and deadline move, each as an event', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    const first = await readWarning(lending, id)
    await holdPrice(lending, '65000')
    const second = await readWarning(lending, id)
    expect(second).toMatchObject({
      ...{ number: 1, tier: 2, raisedAt: first.raisedAt, ltvAtRaise: first.ltvAtRaise },
      cureDeadline: addMs(lending.now(), 12 * HOUR_MS),
    })
    await holdPrice(lending, '61000')
    const third = await readWarning(lending, id)
    expect(third).toMatchObject({
      ...{ number: 1, tier: 3, raisedAt: first.raisedAt, ltvAtRaise: first.ltvAtRaise },
      cureDeadline: addMs(lending.now(), 2 * HOUR_MS),
    })
    expect(await marginEvents(lending, id)).toEqual([
      'warning.raised 1',
      'warning.raised 1',
      'warning.raised 1',
    ])
    await holdPrice(lending, '66500')
    expect(await readWarning(lending, id)).toMatchObject({
      tier: 3,
      cureDeadline: third.cureDeadline,
    })
    await expectSound(lending, id)
  })

  test('a warning that gets worse never gets a later deadline than it had', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    const { cureDeadline } = await readWarning(lending, id)
    await pass(lending, 47 * HOUR_MS)
    await holdPrice(lending, '61000')
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3, cureDeadline })
    await expectSound(lending, id)
  })
})

describe('a warning is cured', () => {
  test('a warning is cured by a linked repayment, by one that names no warning, each for what it is', async () => {
    for (const isLinked of [true, false]) {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      const announced = await announce(lending, id, usd(9_000_00n), isLinked ? 1 : undefined)
      expect(announced).toMatchObject({ marginWarningNumber: 1, inferred: !isLinked })
      await report(lending, announced)
      await settle(lending)
      expect(await readWarning(lending, id)).toMatchObject({
        status: 'CURED',
        curedBy: 'repayment',
        curedAt: lending.now(),
      })
      await expectSound(lending, id)
    }
  })

  test('a warning is cured by less than was asked, if it clears the floor; by no less than that', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    // The floor is clear at 0.60 of 65,960.00, which is 39,576.00.
    await repay(lending, id, usd(8_424_00n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN', tier: 1 })
    await repay(lending, id, usd(2n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
    await expectSound(lending, id)
  })

  test('a warning is cured by collateral, at once', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.advance(1)
    await pushPortfolio(lending, borrowerId, btc((ONE_BTC * 125n) / 100n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'collateral',
    })
    await expectSound(lending, id)
  })

  test('a warning is cured by a price, once that has held for a minute', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.market.set('BTC', '83000')
    await tick(lending)
    await tick(lending, MINUTE_MS - 1)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await tick(lending, 1)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'price' })
    await expectSound(lending, id)
  })

  test('a warning is cured above the floor of before but below the floor of a warning it stays open', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await holdPrice(lending, '82400')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await expectSound(lending, id)
  })
})

test('the custodian holds the higher floor while a warning is open, and the lower one again after it', async () => {
  const { id } = await addBorrowed(lending)
  // With two days of interest, over 0.70 and over 0.60.
  expect((await read(lending, id)).custodianFloorCents).toBe(68_609_02n)
  await holdPrice(lending, '68000')
  expect((await read(lending, id)).custodianFloorCents).toBe(80_043_87n)
  await holdPrice(lending, '90000')
  expect((await read(lending, id)).custodianFloorCents).toBe(68_609_03n)
  await expectSound(lending, id)
})

test('a relapse within a day gets the time that was left, at least two hours; later, a whole window', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  await pass(lending, 40 * HOUR_MS)
  await holdPrice(lending, '90000')
  const cured = await readWarning(lending, id)
  const leftMs = cured.cureDeadline.getTime() - lending.now().getTime()
  await pass(lending, 20 * HOUR_MS)
  await holdPrice(lending, '68000')
  const relapse = await readWarning(lending, id, 2)
  expect(relapse).toMatchObject({ tier: 1, cureDeadline: addMs(lending.now(), leftMs) })

  await pass(lending, 7 * HOUR_MS)
  await holdPrice(lending, '90000')
  await holdPrice(lending, '68000')
  expect((await readWarning(lending, id, 3)).cureDeadline).toEqual(
    addMs(lending.now(), 2 * HOUR_MS),
  )

  await holdPrice(lending, '90000')
  await pass(lending, 25 * HOUR_MS)
  await holdPrice(lending, '68000')
  expect((await readWarning(lending, id, 4)).cureDeadline).toEqual(
    addMs(lending.now(), 48 * HOUR_MS),
  )
  await expectSound(lending, id)
})

test('a relapse after a cure by repayment or by collateral gets a whole window, however little time was left', async () => {
  for (const cure of ['repayment', 'collateral'] as const) {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 47 * HOUR_MS)
    lending.advance(1)
    if (cure === 'repayment') await repay(lending, id, usd(9_000_00n))
    else await pushPortfolio(lending, borrowerId, btc((ONE_BTC * 5n) / 4n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: cure })
    await holdPrice(lending, '55000')
    const { cureDeadline } = await readWarning(lending, id, 2)
    expect(cureDeadline).toEqual(addMs(lending.now(), 48 * HOUR_MS))
    await expectSound(lending, id)
    await repay(lending, id, usd(50_000_00n))
    await settle(lending)
  }
})

test('a warning after a margin call gets a whole window, however recent the last cure', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  await holdPrice(lending, '90000')
  await holdPrice(lending, '68000')
  await holdPrice(lending, '59000')
  await pass(lending, MINUTE_MS)
  expect(await readWarning(lending, id, 2)).toMatchObject({ status: 'ESCALATED' })
  expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED', outcome: 'partial' }])
  // What is left owes 0.55 of its value at 59,000.
  await holdPrice(lending, '44000')
  const { tier, cureDeadline } = await readWarning(lending, id, 3)
  expect({ tier, cureDeadline }).toEqual({
    tier: 1,
    cureDeadline: addMs(lending.now(), 48 * HOUR_MS),
  })
  await expectSound(lending, id)
})

test('a warning shows the ratio it was raised at, which is that of the highest price of its minute, and beside it the latest', async () => {
  const { id } = await addBorrowed(lending)
  lending.market.set('BTC', '69000')
  lending.advance(30_000)
  lending.market.set('BTC', '68000')
  await tick(lending, 30_000)
  // 48,000.01 over 69,000 · 0.97, and over 68,000 · 0.97.
  const shown = { ltvAtRaise: '0.717168', latestLtv: '0.727714' }
  expect(await readWarning(lending, id)).toMatchObject(shown)
  const raised = await dataOf(lending, 'margin_warning.raised', id)
  expect(raised).toMatchObject({ ltv: '0.717168', latest_ltv: '0.727714' })
  lending.market.set('BTC', '90000')
  lending.advance(30_000)
  lending.market.set('BTC', '95000')
  await tick(lending, 30_000)
  // 48,000.01 over 90,000 · 0.97, and over 95,000 · 0.97.
  const cured = await dataOf(lending, 'margin_warning.cured', id)
  expect(cured).toMatchObject({ ltv: '0.549829', latest_ltv: '0.520891' })
  expect((await readWarning(lending, id)).latestLtv).toBeUndefined()
  await expectSound(lending, id)
})

test('a critical warning shows the deadline of its tier beside its own', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  lending.held.set(borrowerId, btc(ONE_BTC))
  lending.advance(1)
  await holdPrice(lending, '59000')
  const { id: critical } = await addBorrowed(lending)
  expect(await readCalls(lending, critical)).toEqual([])
  const raised = await dataOf(lending, 'margin_warning.raised', id)
  const at = new Date(String(raised?.deadline))
  expect(raised).toMatchObject({ window_deadline: addMs(at, 2 * HOUR_MS).toISOString() })
  await expectSound(lending, id)
})

describe('stale prices', () => {
  test('stale prices raise no warning and cure none by price; what is paid off whole is still cured', async () => {
    const { id } = await addBorrowed(lending)
    lending.priceAgeMs = 300_001
    await holdPrice(lending, '68000')
    expect(await readWarnings(lending, id)).toEqual([])
    lending.priceAgeMs = 300_000
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })

    lending.priceAgeMs = 300_001
    await holdPrice(lending, '90000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await repay(lending, id, usd(49_000_00n))
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
    await expectSound(lending, id)
  })

  test('without a window nothing is evaluated', async () => {
    const { id } = await addBorrowed(lending)
    lending.hasWindow = false
    await holdPrice(lending, '68000')
    expect(await readWarnings(lending, id)).toEqual([])
  })
})

test('no draw while a warning is open; a refused one writes nothing', async () => {
  const { id } = await addBorrowed(lending)
  await repay(lending, id, usd(10_000_00n))
  await settle(lending)
  await holdPrice(lending, '55000')
  await expect(draw(lending, id, usd(100n))).rejects.toMatchObject({ code: 'draws_blocked' })
  await expectSound(lending, id)
})

test('a facility does not close under an open warning, though what is left would be waived', async () => {
  const { id, borrowerId } = await addBorrowed(lending)
  // Interest enough that the rest could be waived.
  await pass(lending, 30 * 24 * HOUR_MS)
  await holdPrice(lending, '68000')
  lending.held.set(borrowerId, btc(ONE_BTC))
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, [])
  const { debt } = await read(lending, id)
  await repay(lending, id, usd(totalDebtCents(debt, lending.now()) - 50n))
  await settle(lending)
  const close = () => requestClosing(lending, id)
  await expect(close()).rejects.toMatchObject({ code: 'outstanding_balance' })
  lending.advance(1)
  await pushPortfolio(lending, borrowerId, btc(ONE_BTC))
  await settle(lending)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED' })
  expect(await close()).toMatchObject({ state: 'CLOSING' })
  await settle(lending)
  await expectSound(lending, id)
})
