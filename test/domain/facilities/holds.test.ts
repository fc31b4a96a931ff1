import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { getDraw } from '../../../src/domain/facilities/draws/draws.ts'
import { listHolds, type NewHold } from '../../../src/domain/facilities/holds/holds.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { payRefund } from '../../../src/domain/facilities/refunds/pay-refund.ts'
import { readOpenWarnings } from '../../../src/domain/margin/desk/open-warnings.ts'
import { holdFacility, releaseFacility } from '../../../src/domain/margin/hold-facility.ts'
import { getRepayment } from '../../../src/domain/repayments/repayments.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { houseForEachTest } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  addEligibleBorrower,
  addFacility,
  announce,
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
import { readEvents } from '../../support/lending/onboarding.ts'

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
    expect(await dataOf(lending, 'facility.held', id)).toEqual({
      facility_id: id,
      since: lending.now().toISOString(),
    })
    await expect(draw(lending, id, usd(1_000_00n))).rejects.toEqual(refused('facility_on_hold'))
    await expect(requestClosing(lending, id)).rejects.toEqual(refused('facility_on_hold'))
    expect((await read(lending, id)).reservedCents).toBe(0n)
  })

  test('takes repayments, accrues interest, and raises warnings that say so', async () => {
    const { id } = await addBorrowed(lending)
    await hold(id)
    for (const price of ['68000', '65000']) await holdPrice(lending, price)
    const raised = (await readEvents(lending.db, lending.tenantId)).filter(
      ({ type }) => type === 'margin_warning.raised',
    )
    expect(raised.map(({ data }) => [data.tier, data.on_hold])).toEqual([
      [1, true],
      [2, true],
    ])
    const { debt } = await read(lending, id)
    const unpaid = await announce(lending, id, usd(1_000_00n))
    await pass(lending, 73 * HOUR_MS)
    expect(await getRepayment(lending.db, lending.tenantId, id, unpaid.id)).toMatchObject({
      status: 'FAILED',
      failure: 'expired',
    })
    expect(totalDebtCents(debt, lending.now())).toBeGreaterThan(48_000_00n)
    await repay(lending, id, usd(20_000_00n))
    await settle(lending)
    const types = await marginEvents(lending, id)
    expect(types).toEqual(['warning.raised 1', 'warning.raised 1', 'warning.cured 1'])
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

  test('that becomes critical keeps two hours at the end of the hold, unless it is critical still', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 47 * HOUR_MS + 50 * MINUTE_MS, 12 * HOUR_MS)
    const { holdId } = await hold(id)
    await pass(lending, 90 * DAY_MS, 45 * DAY_MS)
    await holdPrice(lending, '59000')
    const left = async () => {
      const { windowDeadline } = await readWarning(lending, id)
      return windowDeadline.getTime() - lending.now().getTime()
    }
    expect(await left()).toBe(2 * HOUR_MS)
    await pass(lending, DAY_MS)
    expect(await left()).toBe(2 * HOUR_MS)
    await holdPrice(lending, '61000')
    await release(id, holdId)
    await settle(lending)
    expect(await left()).toBe(2 * HOUR_MS)
    await pass(lending, 2 * HOUR_MS + MINUTE_MS, 2 * HOUR_MS + 1)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('is listed on the desk by the deadline that it would have if the hold ended now', async () => {
    const [held, other] = [await addBorrowed(lending), await addBorrowed(lending)]
    await holdPrice(lending, '68000')
    await pass(lending, HOUR_MS)
    await hold(held.id)
    await pass(lending, 46 * HOUR_MS, 23 * HOUR_MS)
    const listed = async (dueBefore?: Date) => {
      const { db, context, tenantId } = lending
      const clockFor = async () => lending.now()
      const filter = { tenantId, dueBefore }
      const warnings = await inTransaction(db, (tx) =>
        readOpenWarnings({ ...context, clockFor, db: tx }, filter, 10),
      )
      return warnings.map(({ facilityId }) => facilityId)
    }
    expect(await listed()).toEqual([other.id, held.id])
    expect(await listed(addMs(lending.now(), 2 * HOUR_MS))).toEqual([other.id])
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

  test('overtakes a lower floor that is on its way to the custodian', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const { custodianFloorCents: floor } = await read(lending, id)
    lending.custodian.next = ['pending']
    await repay(lending, id, usd(10_000_00n))
    await settle(lending)
    expect((await read(lending, id)).floorPushedCents).toBeLessThan(floor)
    await hold(id)
    await settle(lending)
    expect((await read(lending, id)).custodianFloorCents).toBe(floor)
    const [lien] = [...lending.liens.values()]
    expect(lien?.floorCents).toBe(floor)
  })

  test('is charged off by what was sold before, waits in CLOSING, and holds its refunds when closed', async () => {
    const { id } = await addBorrowed(lending)
    lending.fills = ['unanswered']
    await holdPrice(lending, '40000')
    expect(ordersOf(lending, id)).toHaveLength(1)
    const first = await hold(id)
    await pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)
    const closing = await read(lending, id)
    expect(closing).toMatchObject({ state: 'CLOSING', closeReason: 'charged_off' })
    await release(id, first.holdId)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })

    const paid = lending.payments.effects.size
    const second = await hold(id)
    const { principalCents = 0n, interestCents = 0n } = closing.chargedOff ?? {}
    await repay(lending, id, usd(principalCents + interestCents + 50_00n))
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 50_00n })
    expect(lending.payments.effects.size).toBe(paid)
    await release(id, second.holdId)
    await settle(lending)
    expect((await read(lending, id)).refundDueCents).toBe(0n)
    expect(lending.payments.effects.size).toBe(paid + 1)
    const closed = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
    expect(closed).toHaveLength(1)
    await expectSound(lending, id)
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
      await crashing(() => pass(lending, 2 * MINUTE_MS, MINUTE_MS))
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
      await crashing(() => pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS))
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
      await crashing(() => pass(lending, 2 * MINUTE_MS, MINUTE_MS))
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
      await crashing(() => pass(lending, 2 * MINUTE_MS, MINUTE_MS))
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

  test('is refused once: a late answer about the refund of before the hold pays nothing twice', async () => {
    const { db, tenantId, context } = lending
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    const before = lending.payments.effects.size
    const { payments } = context
    const { payOut } = payments
    let isLate = false
    payments.payOut = async (call) => {
      if (!call.callId.startsWith('rfd_') || isLate) return await payOut(call)
      isLate = true
      const refundId = call.callId.split('/')[0] ?? ''
      const { holdId } = await hold(id)
      await payRefund(context, tenantId, refundId)
      await release(id, holdId)
      // The next payment goes out, and its answer is lost.
      payments.payOut = async (next) => {
        await payOut(next)
        return { status: 'pending', askAgainAt: addMs(lending.now(), MINUTE_MS) }
      }
      await payRefund(context, tenantId, refundId)
      payments.payOut = payOut
      return await payOut(call)
    }
    await repay(lending, id, usd(1_010_00n))
    await settle(lending)
    await pass(lending, 10 * MINUTE_MS, MINUTE_MS)
    expect(isLate).toBe(true)
    expect(lending.payments.effects.size).toBe(before + 1)
    const refunds = db.selectFrom('refunds').selectAll().where('facility_id', '=', id)
    expect(await refunds.execute()).toMatchObject([{ status: 'PAID' }])
    expect(await findViolations(db, tenantId)).toEqual([])
  })
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

  test('and a question about what is there is asked anew after it', async () => {
    const { id } = await addCritical(lending)
    const { custodian } = lending.context
    const { positions } = custodian
    const unanswered = new Set<string>()
    custodian.positions = async (call) => {
      if (!call.callId.includes('/sale/')) return await positions(call)
      unanswered.add(call.callId)
      return { status: 'pending', askAgainAt: addMs(lending.now(), MINUTE_MS) }
    }
    await tick(lending)
    const { holdId } = await hold(id)
    await pass(lending, 30 * DAY_MS, DAY_MS)
    await release(id, holdId)
    const answered: string[] = []
    custodian.positions = async (call) => {
      answered.push(call.callId)
      return await positions(call)
    }
    await pass(lending, 10 * MINUTE_MS, 5 * MINUTE_MS)
    expect(unanswered.size).toBe(1)
    expect(answered.filter((callId) => unanswered.has(callId))).toEqual([])
    expect(ordersOf(lending, id).length).toBeGreaterThan(0)
    await expectSound(lending, id)
  })
})
