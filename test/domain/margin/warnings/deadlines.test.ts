import { describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { changeFacility } from '../../../../src/domain/margin/change-facility.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  announce,
  dataOf,
  pass,
  pushPortfolio,
  repay,
  report,
  settle,
  usd,
  usdc,
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
  tick,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()
/** A house for each test: its ticks evaluate no other facility. */

describe('the deadline', () => {
  test("a warning's deadline is still in time itself; a millisecond later it has passed", async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await tick(lending, 48 * HOUR_MS)
    expect(lending.now()).toEqual((await readWarning(lending, id)).cureDeadline)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    await tick(lending, 1)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'ESCALATED',
      escalatedAt: lending.now(),
    })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'deadline',
    })
    await expectSound(lending, id)
  })

  test("a warning's deadline comes by itself: no tick, no push, no payment has to", async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 48 * HOUR_MS + 1)
    expect(await marginEvents(lending, id)).toEqual([
      'warning.raised 1',
      'warning.escalated 1',
      'call.started 1',
      'call.completed 1',
    ])
    await expectSound(lending, id)
  })

  test("a warning's deadline is settled by a request before anything that the request does", async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.advance(48 * HOUR_MS + 1)
    const { db } = lending
    await inTransaction(db, (tx) => changeFacility(lending.within(tx), id))
    const works = await db.selectFrom('work').select('topic').execute()
    expect(works.map(({ topic }) => topic)).toContain('escalate-warning')
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test("a warning's deadline waits for the round that decides, where one price of the window clears the floor", async () => {
    for (const [price, status] of [
      ['83000', 'CURED'],
      ['70000', 'ESCALATED'],
    ] as const) {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      await pass(lending, 48 * HOUR_MS - 10_000)
      lending.market.set('BTC', '83000')
      await tick(lending, 10_001)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      lending.market.set('BTC', price)
      await tick(lending, 10_000)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      await tick(lending, 50_000)
      expect(await readWarning(lending, id)).toMatchObject({ status })
      await expectSound(lending, id)
    }
  })

  test.each([
    ['83000', 'CURED'],
    ['82000', 'ESCALATED'],
  ] as const)(
    "a warning's deadline lets a price flicker for ten minutes; then the latest of %s decides, by itself",
    async (last, status) => {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      const { cureDeadline } = await readWarning(lending, id)
      await pass(lending, 48 * HOUR_MS - 15_000)
      // Within any minute both above and below 82,475.
      while (lending.now() < addMs(cureDeadline, 10 * MINUTE_MS - 15_000)) {
        lending.market.set('BTC', lending.market.get('BTC') === '83000' ? '82000' : '83000')
        await tick(lending, 15_000)
      }
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      lending.market.set('BTC', last)
      await pass(lending, 15_000)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      await pass(lending, 1)
      expect(await readWarning(lending, id)).toMatchObject({ status })
      await expectSound(lending, id)
      lending.market.set('BTC', '100000')
      await tick(lending, MINUTE_MS)
    },
  )

  test("a warning's deadline does not pass while prices are stale", async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.priceAgeMs = 301_000
    await tick(lending, 49 * HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    lending.priceAgeMs = 0
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })
})

describe('a reported repayment', () => {
  test.each([
    { asset: 'USDC', heldMs: HOUR_MS, isLinked: true },
    { asset: 'USD', heldMs: 24 * HOUR_MS, isLinked: false },
  ])(
    'a reported repayment in $asset holds the escalation from its report, no longer',
    async (the) => {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      await pass(lending, 48 * HOUR_MS)
      const amount = the.asset === 'USD' ? usd(9_000_00n) : usdc(9_000_000_000n)
      lending.payments.isDown = true
      await report(lending, await announce(lending, id, amount, the.isLinked ? 1 : undefined))
      await tick(lending, the.heldMs - 1)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
      // No tick: the end of the hold is an instant of its own.
      await pass(lending, 2)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
      await expectSound(lending, id)
    },
  )

  test('cures when treasury has it, long after the deadline', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 48 * HOUR_MS)
    lending.payments.isDown = true
    await repay(lending, id, usd(9_000_00n))
    await pass(lending, 20 * HOUR_MS, HOUR_MS)
    lending.payments.isDown = false
    await pass(lending, HOUR_MS, HOUR_MS / 4)
    expect(await readWarning(lending, id)).toMatchObject({
      status: 'CURED',
      curedBy: 'repayment',
    })
    await expectSound(lending, id)
  })

  test('a reported repayment that treasury never received holds no longer than its answer', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 48 * HOUR_MS)
    lending.payments.isDown = true
    lending.received.set('wire-1', undefined)
    await repay(lending, id, usd(9_000_00n), 'wire-1')
    await pass(lending, 1_000)
    lending.payments.isDown = false
    await pass(lending, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('a reported repayment that is too small, or reported after the deadline, holds nothing', async () => {
    for (const { cents, late } of [
      { cents: 1_000_00n, late: 0 },
      { cents: 9_000_00n, late: 1 },
    ]) {
      const { id } = await addBorrowed(lending)
      await holdPrice(lending, '68000')
      const announced = await announce(lending, id, usd(cents))
      lending.payments.isDown = true
      lending.advance(48 * HOUR_MS + late)
      await report(lending, announced)
      await tick(lending, 1)
      expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
      lending.payments.isDown = false
      await pass(lending, HOUR_MS)
      await expectSound(lending, id)
    }
  })

  test('a reported repayment holds nothing above critical', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.payments.isDown = true
    await repay(lending, id, usd(40_000_00n))
    await holdPrice(lending, '59000')
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'critical',
    })
    await expectSound(lending, id)
  })
})

describe('above critical', () => {
  test('a warning is raised at tier 3 without time, and escalates at once', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '59000')
    const now = lending.now()
    expect(await readWarning(lending, id)).toMatchObject({
      tier: 3,
      status: 'ESCALATED',
      raisedAt: now,
      cureDeadline: now,
      escalatedAt: now,
    })
    expect(await dataOf(lending, 'margin_warning.escalated', id)).toMatchObject({
      reason: 'critical',
    })
    expect(await marginEvents(lending, id)).toEqual([
      'warning.raised 1',
      'warning.escalated 1',
      'call.started 1',
      'call.completed 1',
    ])
    await expectSound(lending, id)
  })

  test('an open warning escalates at once, whatever time it had', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await holdPrice(lending, '59000')
    expect(await readWarning(lending, id)).toMatchObject({ tier: 3, status: 'ESCALATED' })
    await expectSound(lending, id)
  })
})

describe('before it escalates the custodian is asked', () => {
  test('a push in which the collateral has vanished sells nothing that the borrower still holds', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    lending.held.set(borrowerId, btc(ONE_BTC))
    lending.advance(1)
    await pushPortfolio(lending, borrowerId, btc(ONE_BTC / 10n))
    await settle(lending)
    for (let ticks = 0; ticks < 20; ticks += 1) await tick(lending, 10_000)
    expect(await marginEvents(lending, id)).toEqual([])
    await expectSound(lending, id)
  })

  test('an empty push sells nothing either, by a deadline that has passed', async () => {
    const { id, borrowerId } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.held.set(borrowerId, btc(2n * ONE_BTC))
    await pushPortfolio(lending, borrowerId, [])
    await pass(lending, 49 * HOUR_MS, HOUR_MS)
    // The custodian holds enough, and the push lacks it.
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    expect(await readCalls(lending, id)).toEqual([])
    await expectSound(lending, id)
  })

  test('an escalation waits, reported, while the custodian does not answer, and follows at once when it does', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.custodian.isDown = true
    const waits = async () =>
      (await lending.context.metrics.custodianWaits.get()).values.find(
        ({ labels }) => labels.step === 'escalate-warning',
      )?.value ?? 0
    const before = await waits()
    await pass(lending, 50 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    expect(await waits()).toBeGreaterThan(before)
    lending.custodian.isDown = false
    await pass(lending, HOUR_MS / 2, HOUR_MS / 12)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('a price that has recovered by the time the custodian answers is no reason to sell', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    lending.custodian.isDown = true
    await pass(lending, 50 * HOUR_MS, HOUR_MS)
    lending.market.set('BTC', '90000')
    lending.advance(2 * MINUTE_MS)
    lending.custodian.isDown = false
    await pass(lending, HOUR_MS / 2, HOUR_MS / 12)
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'price' })
    await expectSound(lending, id)
  })
})
