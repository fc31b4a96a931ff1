import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Amount } from '../../../src/core/money.ts'
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { payRefund } from '../../../src/domain/facilities/refunds/pay-refund.ts'
import { readKeyOfFacility } from '../../../src/domain/personal/borrower-key.ts'
import {
  confirmRepayment,
  settleReceipt,
} from '../../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment } from '../../../src/domain/repayments/repayments.ts'
import { crashAtEachStep } from '../../support/lending/crashes.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  dataOf,
  draw,
  eventsOf,
  pass,
  read,
  repay,
  report,
  requestClosing,
  settle,
  usd,
  usdc,
} from '../../support/lending/lending.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('USDC', '1')
  lending.payments.next = []
  lending.onStep = () => undefined
  lending.onReceipt = () => undefined
})

const readRepayment = (facilityId: string, id: string) =>
  getRepayment(lending.db, lending.tenantId, facilityId, id)

const receiptOf = (amount: Amount) => ({ transferId: randomUUID(), amount })

async function refundsOf(facilityId: string) {
  const { db, tenantId } = lending
  const rows = await db
    .selectFrom('refunds')
    .select(['source_id', 'status', 'asset', 'amount_units', 'cents', 'destination'])
    .where('facility_id', '=', facilityId)
    .orderBy('refund_id')
    .execute()
  const key = await readKeyOfFacility(db, { tenantId, facilityId })
  return rows.map((row) => ({ ...row, destination: key.open(row.destination, 'destination') }))
}

/** What has left for the facility's refunds, by their payouts' call ids. */
async function paidBack(facilityId: string) {
  const refunds = await lending.db
    .selectFrom('refunds')
    .select('refund_id')
    .where('facility_id', '=', facilityId)
    .execute()
  const ids = new Set(refunds.map((row) => row.refund_id))
  return [...lending.payments.effects]
    .filter(([callId]) => ids.has(callId.split('/')[0] ?? ''))
    .map(([, { amount }]) => amount)
}

const appliedData = (repaymentId: string) => dataOf(lending, 'repayment.applied', repaymentId)

describe('the waterfall', () => {
  test('a repayment pays interest, then principal, and its event shows both', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    await pass(lending, 30 * DAY_MS)
    const { id: repaymentId } = await repay(lending, id, usd(5_000_00n))
    await settle(lending)
    expect(await readRepayment(id, repaymentId)).toMatchObject({
      status: 'APPLIED',
      allocation: { interestCents: 164_39n, principalCents: 4_835_61n, refundCents: 0n },
    })
    expect(await appliedData(repaymentId)).toEqual({
      facility_id: id,
      repayment_id: repaymentId,
      delivered: { amount: '5000.00', asset: 'USD' },
      confirmed: { amount: '5000.00', asset: 'USD' },
      allocation: {
        interest: { amount: '164.39', asset: 'USD' },
        principal: { amount: '4835.61', asset: 'USD' },
        refund_due: { amount: '0.00', asset: 'USD' },
      },
      outstanding_usd: '15164.39',
    })
  })

  test('a repayment of the total shown leaves nothing, though confirmed days later', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    await pass(lending, 17 * DAY_MS + 12_345)
    const shown = totalDebtCents((await read(lending, id)).debt, lending.now())
    lending.payments.isDown = true
    const { id: repaymentId } = await repay(lending, id, usd(shown))
    await pass(lending, 2 * DAY_MS, DAY_MS)
    lending.payments.isDown = false
    await pass(lending, HOUR_MS)
    const { debt, refundDueCents } = await read(lending, id)
    expect(totalDebtCents(debt, lending.now())).toBe(0n)
    expect(refundDueCents).toBe(0n)
    expect(await appliedData(repaymentId)).toMatchObject({ outstanding_usd: '0.00' })
  })

  test.each([
    ['less', 3_000_00n, { principalCents: 3_000_00n, refundCents: 0n }],
    ['a little more', 5_100_00n, { principalCents: 5_100_00n, refundCents: 0n }],
  ])('a transfer of %s than was claimed is applied as it came', async (_, cents, allocation) => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const reference = `wire-${cents}`
    lending.received.set(reference, usd(cents))
    const { id: repaymentId } = await repay(lending, id, usd(5_000_00n), reference)
    await settle(lending)
    expect(await readRepayment(id, repaymentId)).toMatchObject({
      delivered: usd(5_000_00n),
      confirmed: usd(cents),
      allocation: { interestCents: 0n, ...allocation },
    })
  })

  test('a repayment with nothing received fails and changes no balance', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const before = await read(lending, id)
    lending.received.set('lost-wire', undefined)
    const { id: repaymentId } = await repay(lending, id, usd(5_000_00n), 'lost-wire')
    await settle(lending)
    expect(await eventsOf(lending, repaymentId)).toEqual(['repayment.failed not_received'])
    expect(await read(lending, id)).toEqual(before)
  })

  test('a USDC repayment counts at its price below a dollar, and at a dollar above', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.market.set('USDC', '0.9975')
    const cheap = await repay(lending, id, usdc(1_000_000_001n))
    await settle(lending)
    // 1,000.000001 · 0.9975 = 997.500000…, down to the cent.
    expect(await readRepayment(id, cheap.id)).toMatchObject({
      allocation: { principalCents: 997_50n },
    })
    lending.market.set('USDC', '1.02')
    const dear = await repay(lending, id, usdc(1_000_009_999n))
    await settle(lending)
    expect(await readRepayment(id, dear.id)).toMatchObject({
      allocation: { principalCents: 1_000_00n },
    })
  })

  test('a USDC draw owes its price above a dollar, and a dollar below', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_00n))
    lending.market.set('USDC', '1.0001')
    await draw(lending, id, usdc(1_000_000_001n))
    lending.market.set('USDC', '0.99')
    await draw(lending, id, usdc(1_000_000_001n))
    await settle(lending)
    // 1.00, ⌈1,000.1000010001⌉ and ⌈1,000.000001⌉ to the cent.
    expect(await read(lending, id)).toMatchObject({
      debt: { principalCents: 1_00n + 1_000_11n + 1_000_01n },
    })
  })

  test('money reported sooner and confirmed later costs no interest for the delay', async () => {
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    lending.payments.isDown = true
    const first = await repay(lending, id, usd(10_000_00n))
    await pass(lending, 90 * DAY_MS, 30 * DAY_MS)
    const second = await repay(lending, id, usd(10_246_58n)) // what is shown, 246.575342…
    lending.payments.isDown = false
    const { context, tenantId } = lending
    await settleReceipt(context, tenantId, second, receiptOf(usd(10_246_58n)))
    expect(totalDebtCents((await read(lending, id)).debt, lending.now())).toBe(0n)
    const received = { ...receiptOf(usd(10_000_00n)), receivedAt: first.reportedAt }
    await settleReceipt(context, tenantId, first, received)
    await pass(lending, HOUR_MS)
    expect(await read(lending, id)).toMatchObject({
      refundDueCents: 0n,
      debt: { principalCents: 0n, interestPaidCents: 0n, interestBookedCents: 0n },
    })
    const back = (await paidBack(id)).reduce((sum, { units }) => sum + units, 0n)
    expect(back).toBe(10_246_58n)
  })
})

describe('what is owed back', () => {
  test('an overpayment is refunded once, to where the latest draw went', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    await repay(lending, id, usd(20_500_00n))
    await settle(lending)
    expect(await refundsOf(id)).toMatchObject([
      { status: 'PAID', asset: 'USD', amount_units: 500_00n, destination: 'account-4711' },
    ])
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
    expect(await paidBack(id)).toEqual([usd(500_00n)])
  })

  test('a refund is in the latest draw’s asset, never worth more than the overpayment', async () => {
    const { id } = await addDrawnFacility(lending, usd(1_000_00n))
    await draw(lending, id, usdc(1_000_000_000n))
    await settle(lending)
    lending.market.set('USDC', '1.03')
    await repay(lending, id, usd(2_100_00n))
    await settle(lending)
    // 100.00 at 1.03 is 97.087378…, down to the millionth.
    expect(await paidBack(id)).toEqual([usdc(97_087_378n)])
  })

  // What is owed takes 1,000 at a dollar, and 1,000 / 0.90 = 1,111.111111…, up to the millionth.
  test.each([
    ['above a dollar', '1.05', 1_100_000_000n, 100_000_000n],
    ['below a dollar', '0.9', 1_200_000_000n, 88_888_888n],
  ])(
    'a refund is as it came where it came in that asset, %s too',
    async (_, price, units, left) => {
      const { id } = await addDrawnFacility(lending, usdc(1_000_000_000n))
      lending.market.set('USDC', price)
      await repay(lending, id, usdc(units))
      await settle(lending)
      expect(await paidBack(id)).toEqual([usdc(left)])
      expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
      expect(await checkLedger(lending.db)).toEqual([])
    },
  )

  test('a refund is in dollars where it is less than one unit of that asset', async () => {
    const { id } = await addDrawnFacility(lending, usdc(1_000_000_000n))
    lending.market.set('USDC', '1000001')
    await repay(lending, id, usd(1_001_00n))
    await settle(lending)
    expect(await paidBack(id)).toEqual([usd(1_00n)])
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
  })

  test.each([
    ['bitcoin', { asset: 'BTC', units: 1_000n }, 0n],
    ['dollars', usd(300_00n), 300_00n],
  ])('a refund of %s that came for USDC is as they came', async (name, arrived, dueCents) => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.received.set(`misdelivered-${name}`, arrived)
    lending.payments.next = ['done', 'pending']
    const { id: repaymentId } = await repay(lending, id, usdc(300_000_000n), `misdelivered-${name}`)
    await settle(lending)
    expect(await eventsOf(lending, repaymentId)).toEqual(['repayment.failed asset_mismatch'])
    expect(await read(lending, id)).toMatchObject({
      refundDueCents: dueCents,
      debt: { principalCents: 20_000_00n },
    })
    expect(await checkLedger(lending.db)).toEqual([])
    await pass(lending, 10_000, 5_000)
    expect(await paidBack(id)).toEqual([arrived])
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
  })

  test('a refund that is refused is ordered again under a new id, and paid once', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = ['done', 'refused', 'refused']
    await repay(lending, id, usd(20_500_00n))
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 500_00n })
    await pass(lending, 3 * 60_000, 60_000)
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
    expect(await paidBack(id)).toEqual([usd(500_00n)])
    const [refund] = await lending.db
      .selectFrom('refunds')
      .select('refund_id')
      .where('facility_id', '=', id)
      .execute()
    const calls = lending.payments.calls.filter((call) => call.startsWith(`${refund?.refund_id}/`))
    expect(calls.map((call) => call.split('/')[1])).toEqual(['0', '1', '2'])
  })
})

describe('providers and crashes', () => {
  test('a repayment is applied once after an hour without the treasury, as of the report', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.isDown = true
    const { id: repaymentId } = await repay(lending, id, usd(20_000_00n))
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await eventsOf(lending, repaymentId)).toEqual([])
    lending.payments.isDown = false
    await pass(lending, HOUR_MS, HOUR_MS / 12)
    expect(await eventsOf(lending, repaymentId)).toEqual(['repayment.applied'])
    expect(totalDebtCents((await read(lending, id)).debt, lending.now())).toBe(0n)
  })

  test('a treasury without an answer is polled under a new number, at growing intervals', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = Array.from({ length: 6 }, () => 'refused')
    const asked: { callId: string; minute: number }[] = []
    const reportedAt = lending.now().getTime()
    lending.onReceipt = ({ callId }) => {
      asked.push({ callId, minute: (lending.now().getTime() - reportedAt) / 60_000 })
    }
    const { id: repaymentId } = await repay(lending, id, usd(5_000_00n))
    await settle(lending)
    await pass(lending, 40 * 60_000, 60_000)
    expect(asked).toEqual(
      [0, 1, 3, 7, 15, 25, 35].map((minute, number) => {
        return { callId: `${repaymentId}/${number + 1}`, minute }
      }),
    )
    expect(await eventsOf(lending, repaymentId)).toEqual(['repayment.applied'])
    expect(await read(lending, id)).toMatchObject({ debt: { principalCents: 15_000_00n } })
  })

  test('a repayment that the treasury never confirms is not received, until it is reported again', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.payments.next = ['denied']
    const announced = await repay(lending, id, usd(5_000_00n), 'misspelt-wire')
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.failed not_received'])
    // An earlier answer does not apply to the second report.
    const again = await report(lending, announced, 'well-spelt-wire')
    await settleReceipt(lending.context, lending.tenantId, announced, undefined)
    expect(await readRepayment(id, announced.id)).toMatchObject({ status: 'REPORTED' })
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual([
      'repayment.failed not_received',
      'repayment.applied',
    ])
    expect(again.inquiry).toBe(announced.inquiry + 1)
    expect(await read(lending, id)).toMatchObject({ debt: { principalCents: 15_000_00n } })
  })

  test('money that arrives after the treasury found nothing is applied when it is reported again', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    lending.received.set('slow-wire', undefined)
    const announced = await repay(lending, id, usd(5_000_00n), 'slow-wire')
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.failed not_received'])
    lending.received.delete('slow-wire')
    await report(lending, announced, 'slow-wire')
    await settle(lending)
    expect((await readRepayment(id, announced.id)).status).toBe('APPLIED')
    await expect(report(lending, announced, 'slow-wire')).rejects.toMatchObject({
      code: 'execution_already_reported',
    })
  })

  test('repeated and contradicting answers of the treasury change nothing after the first', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const repayment = await repay(lending, id, usd(5_000_00n))
    await settle(lending)
    const before = await read(lending, id)
    const { context, tenantId } = lending
    await settleReceipt(context, tenantId, repayment, receiptOf(usd(5_000_00n)))
    await settleReceipt(context, tenantId, repayment, receiptOf(usd(9_000_00n)))
    await settleReceipt(context, tenantId, repayment, undefined)
    expect(await read(lending, id)).toEqual(before)
    expect(await eventsOf(lending, repayment.id)).toEqual(['repayment.applied'])
  })

  test('three workers at once apply a repayment once, and pay its refund once', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const repayment = await repay(lending, id, usd(20_500_00n))
    const { context, tenantId } = lending
    await Promise.all([1, 2, 3].map(() => confirmRepayment(context, tenantId, repayment.id)))
    const [refund] = await lending.db
      .selectFrom('refunds')
      .select('refund_id')
      .where('facility_id', '=', id)
      .execute()
    const refundId = refund?.refund_id ?? ''
    await Promise.all([1, 2, 3].map(() => payRefund(context, tenantId, refundId)))
    expect(await eventsOf(lending, repayment.id)).toEqual(['repayment.applied'])
    expect(await paidBack(id)).toEqual([usd(500_00n)])
    expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n })
  })

  test('a crash between any two steps applies a repayment once and refunds it once', async () => {
    await crashAtEachStep(lending, async (crashing) => {
      const { id } = await addDrawnFacility(lending, usd(20_000_00n))
      const repayment = await repay(lending, id, usd(20_500_00n))
      await crashing(() => settle(lending))
      await pass(lending, 60_000, 10_000)
      expect(await eventsOf(lending, repayment.id)).toEqual(['repayment.applied'])
      expect(await paidBack(id)).toEqual([usd(500_00n)])
      expect(await read(lending, id)).toMatchObject({
        refundDueCents: 0n,
        debt: { principalCents: 0n },
      })
    })
  })
})

describe('reports', () => {
  test('a late completed report after expiry is still accepted', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const announced = await announce(lending, id, usd(5_000_00n))
    await pass(lending, 72 * HOUR_MS - 1)
    expect(await eventsOf(lending, announced.id)).toEqual([])
    await pass(lending, 1)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.failed expired'])
    await report(lending, announced)
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual([
      'repayment.failed expired',
      'repayment.applied',
    ])
    expect((await readRepayment(id, announced.id)).failure).toBeUndefined()
  })

  test('reports with nothing received are each reported as an event, and the last one is applied', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const announced = await announce(lending, id, usd(5_000_00n))
    await pass(lending, 73 * HOUR_MS)
    lending.received.set('wandering-wire', undefined)
    for (const _ of [1, 2]) {
      await report(lending, announced, 'wandering-wire')
      await settle(lending)
    }
    lending.received.delete('wandering-wire')
    await report(lending, announced, 'wandering-wire')
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual([
      'repayment.failed expired',
      'repayment.failed not_received',
      'repayment.failed not_received',
      'repayment.applied',
    ])
    expect(await findViolations(lending.db)).toEqual([])
  })

  test('money that arrives on a facility that has closed meanwhile is refunded', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const forgotten = await announce(lending, id, usd(5_000_00n))
    await pass(lending, 73 * HOUR_MS)
    const owed = totalDebtCents((await read(lending, id)).debt, lending.now())
    await repay(lending, id, usd(owed))
    await settle(lending)
    await requestClosing(lending, id)
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
    await report(lending, forgotten)
    await settle(lending)
    expect(await eventsOf(lending, forgotten.id)).toEqual([
      'repayment.failed expired',
      'repayment.applied',
    ])
    expect(await paidBack(id)).toEqual([usd(5_000_00n)])
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 0n })
  })

  test('a report sent 20 times at once executes once', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const announced = await announce(lending, id, usd(5_000_00n))
    const sent = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => report(lending, announced, `same-money-${index}`)),
    )
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refusals = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(new Set(refusals)).toEqual(new Set(['execution_already_reported']))
    await settle(lending)
    expect(await eventsOf(lending, announced.id)).toEqual(['repayment.applied'])
    expect(await read(lending, id)).toMatchObject({ debt: { principalCents: 15_000_00n } })
  })

  test('an external reference is reported once, across facilities and at once', async () => {
    const facilities = [
      await addDrawnFacility(lending, usd(20_000_00n)),
      await addDrawnFacility(lending, usd(20_000_00n)),
    ]
    const announced = await Promise.all(
      facilities.map(({ id }) => announce(lending, id, usd(5_000_00n))),
    )
    const sent = await Promise.allSettled(
      announced.map((repayment) => report(lending, repayment, 'one-and-the-same-wire')),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refusals = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refusals).toEqual(['duplicate_reference'])
  })

  test('a reference stays with its repayment, though that is reported again under another', async () => {
    const { id } = await addDrawnFacility(lending, usd(20_000_00n))
    const first = await announce(lending, id, usd(1_000_00n))
    for (const wire of ['wire-first', 'wire-second']) {
      lending.received.set(wire, undefined)
      await report(lending, first, wire)
      await settle(lending)
    }
    const second = await announce(lending, id, usd(1_000_00n))
    for (const wire of ['wire-first', 'wire-second']) {
      await expect(report(lending, second, wire)).rejects.toMatchObject({
        code: 'duplicate_reference',
      })
    }
    expect(await report(lending, first, 'wire-first')).toMatchObject({ status: 'REPORTED' })
  })
})

test('the books agree after all of these repayments', async () => {
  expect(await checkLedger(lending.db)).toEqual([])
})
