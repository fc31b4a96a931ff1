import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { getDraw } from '../../../src/domain/facilities/draws/draws.ts'
import { listHolds, type NewHold } from '../../../src/domain/facilities/holds/holds.ts'
import { holdFacility, releaseFacility } from '../../../src/domain/margin/hold-facility.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  addFacility,
  applyFor,
  dataOf,
  draw,
  eventsOf,
  pass,
  pushPortfolio,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  expectSound,
  holdPrice,
  marginEvents,
  ordersOf,
  readCalls,
  readWarning,
  tick,
} from '../../support/lending/margin.ts'

const lending = houseForEachTest()

const BANKRUPT: NewHold = { kind: 'bankruptcy', reason: 'petition of 3 November' }

const hold = (id: string, why = BANKRUPT) =>
  inTransaction(lending.db, (tx) => holdFacility(lending.within(tx), id, why))

const release = (id: string, holdId: string) =>
  inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), id, holdId))

const refused = (code: string) => expect.objectContaining({ code })

describe('a held facility', () => {
  test('draws nothing and does not close, and pays nothing that was not sent', async () => {
    const { id } = await addFacility(lending)
    const pending = await draw(lending, id, usd(1_000_00n))
    await hold(id)
    await settle(lending)
    expect(await getDraw(lending.db, lending.tenantId, id, pending.id)).toMatchObject({
      status: 'FAILED',
      failure: { code: 'facility_on_hold', retryable: true },
    })
    expect(lending.payments.effects.size).toBe(0)
    await expect(draw(lending, id, usd(1_000_00n))).rejects.toEqual(refused('facility_on_hold'))
    await expect(requestClosing(lending, id)).rejects.toEqual(refused('facility_on_hold'))
    expect((await read(lending, id)).reservedCents).toBe(0n)
  })

  test('takes repayments, accrues interest, and raises warnings that say so', async () => {
    const { id } = await addBorrowed(lending)
    await hold(id)
    await holdPrice(lending, '68000')
    expect(await dataOf(lending, 'margin_warning.raised', id)).toMatchObject({ on_hold: true })
    await repay(lending, id, usd(20_000_00n))
    await settle(lending)
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
    await expectSound(lending, id)
  })

  test('does not escalate however long it lies, and leaves two hours at its end', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    const { cureDeadline } = await readWarning(lending, id)
    await pass(lending, 47 * HOUR_MS + 50 * MINUTE_MS, 12 * HOUR_MS)
    const { holdId } = await hold(id)
    await settle(lending)
    await pass(lending, 90 * DAY_MS, 45 * DAY_MS)
    await tick(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
    expect(await release(id, holdId)).toEqual({ isLast: true })
    await settle(lending)
    const { status, cureDeadline: left } = await readWarning(lending, id)
    expect({ status, left }).toEqual({ status: 'OPEN', left: addMs(lending.now(), 2 * HOUR_MS) })
    expect(left > cureDeadline).toBe(true)
    expect(await dataOf(lending, 'facility.released', id)).toEqual({
      facility_id: id,
      held_seconds: (90 * DAY_MS) / 1_000,
      margin_warning: { number: 1, deadline: left.toISOString() },
    })
    await pass(lending, 2 * HOUR_MS + MINUTE_MS, 2 * HOUR_MS + 1)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('escalates at once after its end if it is critical then', async () => {
    const { id } = await addBorrowed(lending)
    const { holdId } = await hold(id)
    await holdPrice(lending, '59000')
    await pass(lending, DAY_MS)
    expect(await marginEvents(lending, id)).toEqual(['warning.raised 1'])
    await release(id, holdId)
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('goes on when the last of several holds is lifted, each by itself', async () => {
    const { id } = await addFacility(lending)
    const first = await hold(id)
    const since = lending.now()
    lending.advance(HOUR_MS)
    const second = await hold(id, { kind: 'freeze', reason: 'order 12' })
    expect(await release(id, first.holdId)).toEqual({ isLast: false })
    expect((await read(lending, id)).heldSince).toEqual(since)
    await expect(release(id, first.holdId)).rejects.toEqual(refused('not_found'))
    lending.advance(HOUR_MS)
    expect(await release(id, second.holdId)).toEqual({ isLast: true })
    expect((await read(lending, id)).heldSince).toBeUndefined()
    expect(await listHolds(lending.db, { tenantId: lending.tenantId, id })).toMatchObject([
      { kind: 'bankruptcy', liftedAt: addMs(since, HOUR_MS) },
      { kind: 'freeze', liftedAt: addMs(since, 2 * HOUR_MS) },
    ])
    const held = (await eventsOf(lending, id)).filter((type) => /held|released/.test(type))
    expect(held).toEqual(['facility.held', 'facility.released'])
  })

  test('does not let the floor at the custodian fall, and lets it rise', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const { custodianFloorCents: floor } = await read(lending, id)
    const { holdId } = await hold(id)
    await repay(lending, id, usd(10_000_00n))
    await settle(lending)
    await pass(lending, 2 * DAY_MS, DAY_MS)
    expect((await read(lending, id)).custodianFloorCents).toBe(floor)
    await holdPrice(lending, '10')
    expect((await read(lending, id)).custodianFloorCents).toBe(floor)
    await release(id, holdId)
    lending.market.set('BTC', '100000')
    await tick(lending, MINUTE_MS)
    expect((await read(lending, id)).custodianFloorCents).toBeLessThan(floor)
  })
})

describe('a held application', () => {
  test('is not decided, and its 24 hours stand still', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const { id } = await applyFor(lending, borrowerId)
    await pass(lending, 20 * HOUR_MS)
    const { holdId } = await hold(id)
    await pushPortfolio(lending, borrowerId)
    await pass(lending, 10 * DAY_MS, DAY_MS)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await release(id, holdId)
    await pass(lending, 4 * HOUR_MS - 1)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await pass(lending, 2)
    expect(await read(lending, id)).toMatchObject({
      state: 'DECLINED',
      declineReasons: ['portfolio_stale'],
    })
  })

  test('is approved after the hold by a portfolio that came since', async () => {
    const borrowerId = await addEligibleBorrower(lending)
    const { id } = await applyFor(lending, borrowerId)
    const { holdId } = await hold(id)
    await pushPortfolio(lending, borrowerId)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'PENDING' })
    await release(id, holdId)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  })
})

describe('what was sent before a hold', () => {
  const isPaid = (drawId: string) => lending.payments.effects.has(drawId)

  test('is recalled, wherever the process crashes: a draw is paid and booked, or never happens', async () => {
    const outcomes = new Set<string>()
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addFacility(lending)
      const { id: drawId } = await draw(lending, id, usd(1_000_00n))
      await crashing(() => settle(lending))
      const { holdId } = await hold(id)
      const sent = lending.payments.calls.length
      await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
      // From the hold on only cancellations were called, which are recorded as such.
      const calls = lending.payments.calls.slice(sent)
      expect(lending.cancelled.slice(-calls.length || lending.cancelled.length)).toEqual(calls)
      await release(id, holdId)
      await settle(lending)
      const { status, failure } = await getDraw(lending.db, lending.tenantId, id, drawId)
      outcomes.add(failure?.code ?? status)
      expect(status).toBe(isPaid(drawId) ? 'COMPLETED' : 'FAILED')
      expect((await read(lending, id)).reservedCents).toBe(0n)
    })
    expect(outcomes).toEqual(new Set(['facility_on_hold', 'COMPLETED']))
    expect(await findViolations(lending.db, lending.tenantId)).toEqual([])
  }, 120_000)

  test('is recalled, wherever the process crashes: an order is filled and booked, or never happens', async () => {
    let filled = 0
    let recalled = 0
    await crashAtEachStep(lending, async (crashing, crashAt) => {
      const { id } = await addCritical(lending)
      if (crashAt % 2 === 0) lending.fills = ['pending']
      await crashing(() => tick(lending))
      const { holdId } = await hold(id)
      lending.fills = []
      const known = ordersOf(lending, id).length
      await pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)
      expect(ordersOf(lending, id).length).toBeLessThanOrEqual(Math.max(known, 1))
      const orders = await lending.db
        .selectFrom('margin_sales')
        .select(['status', 'recalled_at'])
        .where('facility_id', '=', id)
        .execute()
      expect(orders.filter(({ status }) => status === 'ORDERED')).toEqual([])
      filled += orders.filter(({ status }) => status === 'FILLED').length
      recalled += orders.filter(({ recalled_at: at }) => at !== null).length
      await expectSound(lending, id)
      await release(id, holdId)
      await pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)
      const { state } = await read(lending, id)
      if (state === 'APPROVED') {
        expect(await readCalls(lending, id)).toMatchObject([{ status: 'COMPLETED' }])
      }
      lending.market.set('BTC', '100000')
    })
    expect(filled).toBeGreaterThan(0)
    expect(recalled).toBeGreaterThan(0)
  }, 240_000)

  test('is recalled, wherever the process crashes: a lien is released and the facility closed, or kept', async () => {
    const states = new Set<string>()
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addFacility(lending)
      await requestClosing(lending, id)
      await crashing(() => settle(lending))
      const { state: before } = await read(lending, id)
      const { holdId } = await hold(id)
      await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
      const { state } = await read(lending, id)
      states.add(`${before} ${state}`)
      const effects = [...lending.custodian.effects.keys()]
      const isReleased = effects.some((callId) => callId.startsWith(`${id}/lien/`))
      expect(state).toBe(isReleased ? 'CLOSED' : 'CLOSING')
      await release(id, holdId)
      await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
      expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
      const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
      expect(closed).toHaveLength(1)
    })
    expect(states).toContain('CLOSING CLOSING')
    expect(states).toContain('CLOSING CLOSED')
  }, 120_000)

  test('is recalled, wherever the process crashes: a refund is paid once, before or after the hold', async () => {
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addDrawnFacility(lending, usd(1_000_00n))
      await repay(lending, id, usd(1_010_00n))
      await crashing(() => settle(lending))
      const { holdId } = await hold(id)
      const paidNow = lending.payments.effects.size
      await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
      expect(lending.payments.effects.size).toBe(paidNow)
      await release(id, holdId)
      await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
      const refunds = await lending.db
        .selectFrom('refunds')
        .selectAll()
        .where('facility_id', '=', id)
        .execute()
      expect(refunds).toMatchObject([{ status: 'PAID' }])
      const payments = [...lending.payments.effects.keys()].filter((callId) =>
        callId.startsWith(refunds[0]?.refund_id ?? '-'),
      )
      expect(payments).toHaveLength(1)
      expect((await read(lending, id)).refundDueCents).toBe(0n)
    })
    expect(await findViolations(lending.db, lending.tenantId)).toEqual([])
  }, 120_000)
})

describe('a hold that arrives between plan and order', () => {
  test('wins: the custodian was asked what is there, and is not asked to sell it', async () => {
    const { id } = await addCritical(lending)
    const { custodian } = lending.context
    const { positions } = custodian
    let holdId = ''
    custodian.positions = async (call) => {
      const answer = await positions(call)
      if (call.callId.includes('/sale/') && holdId === '') ({ holdId } = await hold(id))
      return answer
    }
    await tick(lending)
    await pass(lending, HOUR_MS, 5 * MINUTE_MS)
    expect(holdId).not.toBe('')
    expect(ordersOf(lending, id)).toEqual([])
    expect(await readCalls(lending, id)).toMatchObject([{ status: 'PENDING' }])
    await release(id, holdId)
    await pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)
    expect(ordersOf(lending, id).length).toBeGreaterThan(0)
    await expectSound(lending, id)
  })

  test('wins before the escalation too: the custodian has answered, and nothing escalates', async () => {
    const { id } = await addCritical(lending)
    const { custodian } = lending.context
    const { positions } = custodian
    let holdId = ''
    custodian.positions = async (call) => {
      const answer = await positions(call)
      if (call.callId.includes('/escalation/') && holdId === '') ({ holdId } = await hold(id))
      return answer
    }
    await tick(lending)
    expect(holdId).not.toBe('')
    expect(await readCalls(lending, id)).toEqual([])
    expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
  })
})
