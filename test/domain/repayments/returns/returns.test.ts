import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { checkLedger } from '../../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { redirectRefund } from '../../../../src/domain/facilities/refunds/redirect-refund.ts'
import { readKeyOfFacility } from '../../../../src/domain/personal/borrower-key.ts'
import { getRepayment } from '../../../../src/domain/repayments/repayments.ts'
import { applySuspense, returnSuspense } from '../../../../src/domain/repayments/suspense.ts'
import { findViolations } from '../../../support/lending/find-violations.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  dataOf,
  draw,
  eventsOf,
  pass,
  pushPortfolio,
  read,
  repay,
  report,
  requestClosing,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import { bringBack, callBack, giveBack } from '../../../support/lending/returns.ts'

const lending = houseForEachTest()

async function debtNow(id: string): Promise<bigint> {
  return totalDebtCents((await read(lending, id)).debt, lending.now())
}

async function expectSound(): Promise<void> {
  expect(await checkLedger(lending.db)).toEqual([])
  expect(await findViolations(lending.db, lending.tenantId)).toEqual([])
}

async function repaid(id: string, cents: bigint): Promise<string> {
  const { id: repaymentId } = await repay(lending, id, usd(cents))
  await settle(lending)
  return repaymentId
}

async function refundsOf(facilityId: string) {
  const { db, tenantId } = lending
  const rows = await db
    .selectFrom('refunds')
    .selectAll()
    .where('facility_id', '=', facilityId)
    .orderBy('created_at')
    .orderBy('refund_id')
    .execute()
  const key = await readKeyOfFacility(db, { tenantId, facilityId })
  return rows.map((row) => ({
    ...row,
    destination: key.open(row.destination, 'destination') ?? '',
  }))
}

const listDoubts = async () =>
  await lending.db
    .selectFrom('doubtful_calls')
    .select(['subject_id as subjectId', 'reason'])
    .where('tenant_id', '=', lending.tenantId)
    .where('settled_at', 'is', null)
    .execute()

const statusOf = async (id: string, repaymentId: string) =>
  await getRepayment(lending.db, lending.tenantId, id, repaymentId)

test('a receipt taken back weeks later leaves the debt as if it had never come', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const early = await repaid(id, 5_000_00n)
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  const later = await repaid(id, 1_000_00n)
  expect(await debtNow(id)).toBe(4_100_00n)
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  await giveBack(lending, early)
  // 10,000.00 for 73 days owe 200.00; 9,200.00 for 73 days 184.00.
  expect(await debtNow(id)).toBe(9_200_00n + 184_00n)
  expect(await statusOf(id, early)).toMatchObject({
    status: 'REVERSED',
    returned: { code: 'recalled' },
  })
  // What was reported of the later one stays.
  expect(await statusOf(id, later)).toMatchObject({
    status: 'APPLIED',
    allocation: { interestCents: 100_00n, principalCents: 900_00n },
  })
  expect(await eventsOf(lending, early)).toEqual([
    'repayment.applied',
    'repayment.reversed recalled',
  ])
  expect(await dataOf(lending, 'repayment.reversed', early)).toEqual({
    facility_id: id,
    repayment_id: early,
    amount: { amount: '5000.00', asset: 'USD' },
    code: 'recalled',
    facility_state: 'APPROVED',
    outstanding_usd: '9384.00',
  })
  await expectSound()
  // Once, however often it is asked.
  await callBack(lending, early)
  expect(await debtNow(id)).toBe(9_384_00n)
  expect(await eventsOf(lending, early)).toHaveLength(2)
})

test('an answer as before changes nothing, and one that never comes is asked for again', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const repaymentId = await repaid(id, 5_000_00n)
  await callBack(lending, repaymentId)
  expect(await debtNow(id)).toBe(5_000_00n)
  await bringBack(lending, repaymentId)
  lending.payments.isDown = true
  await callBack(lending, repaymentId)
  expect(await debtNow(id)).toBe(5_000_00n)
  lending.payments.isDown = false
  await pass(lending, HOUR_MS)
  expect((await read(lending, id)).debt.principalCents).toBe(10_000_00n)
  await expectSound()
})

test.each([
  ['another amount', { amount: usd(4_999_99n) }, 'other_amount'],
  ['another asset', { amount: { asset: 'USDC', units: 5_000_00n } }, 'other_amount'],
])('a return of %s is for the operators and changes nothing', async (_, back, reason) => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const repaymentId = await repaid(id, 5_000_00n)
  await giveBack(lending, repaymentId, back)
  expect(await debtNow(id)).toBe(5_000_00n)
  expect(await listDoubts()).toMatchObject([{ subjectId: repaymentId, reason }])
  // Corrected by the provider, it is booked, and nothing is left to decide.
  await giveBack(lending, repaymentId)
  expect(await debtNow(id)).toBe(10_000_00n)
  expect(await listDoubts()).toEqual([])
  await expectSound()
})

test('a facility that was closed as repaid is charged off, without a second facility.closed', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await pass(lending, 36.5 * DAY_MS, 36.5 * DAY_MS)
  const receipt = await repaid(id, 10_099_50n)
  await requestClosing(lending, id)
  await settle(lending)
  // 0.50 of 100.00 of interest were waived.
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
  await pass(lending, 36.5 * DAY_MS, 36.5 * DAY_MS)
  await giveBack(lending, receipt)
  expect(await read(lending, id)).toMatchObject({
    state: 'CLOSED',
    closeReason: 'charged_off',
    chargedOff: { principalCents: 10_000_00n, interestCents: 200_00n, recoveredCents: 0n },
  })
  expect(await dataOf(lending, 'repayment.reversed', receipt)).toMatchObject({
    facility_state: 'CLOSED',
    charged_off: { principal: '10000.00', interest: '200.00', recovered: '0.00' },
    outstanding_usd: '0.00',
  })
  const closings = (await eventsOf(lending, id)).filter((type) => type === 'facility.closed')
  expect(closings).toHaveLength(1)
  await expectSound()
  // No interest runs, and it can be recovered.
  await pass(lending, DAY_MS)
  await repaid(id, 10_200_00n)
  expect((await read(lending, id)).chargedOff).toMatchObject({ recoveredCents: 10_200_00n })
  await expectSound()
})

test.each([
  ['refused', 'APPROVED', undefined],
  ['done', 'CLOSED', 'charged_off'],
] as const)(
  'a release that was sent is recalled, and %s leaves the facility %s',
  async (answer, state, closeReason) => {
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    const receipt = await repaid(id, 10_000_00n)
    await requestClosing(lending, id)
    // Sent, and its answer is lost, or it never arrived.
    if (answer === 'done')
      lending.custodian.effects.set(`${id}/lien/${(await read(lending, id)).floorSequence}`, {})
    lending.custodian.isDown = true
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({
      state: 'CLOSING',
      releaseSentAt: lending.now(),
    })
    await giveBack(lending, receipt)
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING' })
    lending.custodian.isDown = false
    await pass(lending, HOUR_MS)
    expect(await read(lending, id)).toMatchObject({ state, closeReason })
    await expectSound()
  },
)

test('refunds that are no longer owed back are cancelled, recalled, or principal from their day', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const paid = await repaid(id, 10_500_00n)
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  expect(await refundsOf(id)).toMatchObject([{ status: 'PAID', cents: 500_00n }])
  await giveBack(lending, paid)
  // 10,500.00 for 73 days.
  expect(await debtNow(id)).toBe(10_500_00n + 210_00n)
  await expectSound()

  // Not ordered, because the borrower is on hold meanwhile or the provider is down: reduced and cancelled.
  lending.payments.next = []
  const total = await debtNow(id)
  const more = await announce(lending, id, usd(total + 300_00n))
  await report(lending, more, 'wire-more')
  lending.onReceipt = () => {
    lending.payments.next = ['done', 'refused']
  }
  await settle(lending)
  lending.onReceipt = () => undefined
  expect((await refundsOf(id)).at(-1)).toMatchObject({ status: 'PENDING', cents: 300_00n })
  await giveBack(lending, more.id)
  expect((await refundsOf(id)).at(-1)).toMatchObject({ status: 'CANCELLED', taken_cents: 300_00n })
  expect((await read(lending, id)).refundDueCents).toBe(0n)
  await expectSound()
})

test.each(['refused', 'done'] as const)(
  'a refund whose payment is ordered is recalled: %s decides whether it is principal',
  async (answer) => {
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    const receipt = await repay(lending, id, usd(10_300_00n))
    lending.onReceipt = () => {
      lending.payments.next = ['done', 'down']
    }
    await settle(lending)
    lending.onReceipt = () => undefined
    const [refund] = await refundsOf(id)
    const { refund_id: refundId = '', destination = '' } = refund ?? {}
    expect(refund).toMatchObject({ status: 'PENDING', ordered: 0 })
    if (answer === 'done') {
      lending.payments.effects.set(`${refundId}/0`, { amount: usd(300_00n), destination })
    }
    await giveBack(lending, receipt.id)
    await pass(lending, HOUR_MS)
    const status = answer === 'done' ? 'PAID' : 'CANCELLED'
    expect(await refundsOf(id)).toMatchObject([{ status }])
    const { debt, refundDueCents } = await read(lending, id)
    expect(debt.principalCents).toBe(answer === 'done' ? 10_300_00n : 10_000_00n)
    expect(refundDueCents).toBe(0n)
    await expectSound()
  },
)

test('a split transfer taken back ends what is in suspense, and reverses each part with its own amount', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  for (const end of ['undecided', 'applied', 'returned', 'paid'] as const) {
    const announced = await announce(lending, id, usd(1_000_00n))
    const reference = `wire-${end}`
    lending.received.set(reference, usd(6_000_00n))
    await report(lending, announced, reference)
    await settle(lending)
    if (end === 'applied') {
      await inTransaction(lending.db, (tx) => applySuspense(lending.within(tx), announced.id))
      await settle(lending)
    }
    if (end === 'returned' || end === 'paid') {
      await inTransaction(lending.db, (tx) =>
        returnSuspense(lending.within(tx), announced.id, 'account-9'),
      )
      if (end === 'paid') await settle(lending)
    }
    await giveBack(lending, announced.id)
    const { debt, refundDueCents } = await read(lending, id)
    // Paid out of suspense, it is principal from its day.
    expect(debt.principalCents).toBe(end === 'paid' ? 15_000_00n : 10_000_00n)
    expect(refundDueCents).toBe(0n)
    expect(await statusOf(id, announced.id)).toMatchObject({ status: 'REVERSED' })
    expect(await dataOf(lending, 'repayment.reversed', announced.id)).toMatchObject({
      amount: { amount: '1000.00' },
    })
    await expectSound()
  }
})

test('what came in another asset and comes back is not sent back; if it was, it is a loss for operators', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  for (const isPaid of [false, true]) {
    const announced = await announce(lending, id, usd(1_000_00n))
    const reference = `wire-${isPaid}`
    lending.received.set(reference, { asset: 'BTC', units: 1_000n })
    await report(lending, announced, reference)
    if (!isPaid) {
      lending.onReceipt = () => {
        lending.payments.next = ['done', 'refused']
      }
    }
    await settle(lending)
    lending.onReceipt = () => undefined
    lending.payments.next = []
    await giveBack(lending, announced.id)
    expect((await refundsOf(id)).at(-1)).toMatchObject({ status: isPaid ? 'PAID' : 'CANCELLED' })
    const doubts = await listDoubts()
    expect(doubts.map(({ reason }) => reason)).toEqual(isPaid ? ['paid_out'] : [])
    expect((await read(lending, id)).debt.principalCents).toBe(10_000_00n)
    await expectSound()
  }
})

test('a draw that comes back in part pays principal from then on, and its destination takes no refund', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  await pass(lending, 36.5 * DAY_MS, 36.5 * DAY_MS)
  const returnedAt = lending.now()
  await pass(lending, 36.5 * DAY_MS, 36.5 * DAY_MS)
  const { draw_id: drawId } = await lending.db
    .selectFrom('draws')
    .select('draw_id')
    .where('facility_id', '=', id)
    .executeTakeFirstOrThrow()
  await giveBack(lending, drawId, { amount: usd(4_000_00n), returnedAt })
  // 10,000.00 and 6,000.00 for 36.5 days each.
  expect(await debtNow(id)).toBe(6_000_00n + 160_00n)
  expect(await dataOf(lending, 'draw.returned', drawId)).toEqual({
    facility_id: id,
    draw_id: drawId,
    amount: { amount: '4000.00', asset: 'USD' },
    code: 'recalled',
    outstanding_usd: '6160.00',
  })
  await expectSound()
  // The limit is free again, and it stays a draw that can be repaid.
  await pushPortfolio(lending, borrowerId)
  await repaid(id, 7_000_00n)
  const [refund] = await refundsOf(id)
  expect(refund).toMatchObject({ status: 'PENDING', cents: 840_00n, awaits_redirect: true })
  await pass(lending, 2 * DAY_MS)
  expect((await refundsOf(id))[0]).toMatchObject({ status: 'PENDING' })
  const redirect = { destination: 'account-2', reason: 'letter of the borrower' }
  await inTransaction(lending.db, (tx) =>
    redirectRefund(lending.within(tx), refund?.refund_id ?? '', redirect),
  )
  await settle(lending)
  expect((await refundsOf(id))[0]).toMatchObject({ status: 'PAID', destination: 'account-2' })
  await expectSound()
})

test('a refund that comes back is owed back again, on a closed facility too, until it is redirected', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await repaid(id, 10_300_00n)
  await requestClosing(lending, id)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
  await pass(lending, DAY_MS)
  const [first] = await refundsOf(id)
  await giveBack(lending, first?.refund_id ?? '')
  const refunds = await refundsOf(id)
  expect(refunds).toMatchObject([
    { status: 'RETURNED' },
    { status: 'PENDING', cents: 300_00n, awaits_redirect: true },
  ])
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 300_00n })
  await expectSound()
  await inTransaction(lending.db, (tx) =>
    redirectRefund(lending.within(tx), refunds[1]?.refund_id ?? '', {
      ...{ destination: 'account-2', reason: 'account closed' },
    }),
  )
  await settle(lending)
  expect((await refundsOf(id))[1]).toMatchObject({ status: 'PAID' })
  expect(await read(lending, id)).toMatchObject({ refundDueCents: 0n, closeReason: 'repaid' })
  await expectSound()
})

test('a payout of what was in suspense that comes back is in suspense again', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const announced = await announce(lending, id, usd(1_000_00n))
  lending.received.set('wire', usd(6_000_00n))
  await report(lending, announced, 'wire')
  await settle(lending)
  for (const destination of ['account-8', 'account-9']) {
    await inTransaction(lending.db, (tx) =>
      returnSuspense(lending.within(tx), announced.id, destination),
    )
    await settle(lending)
    await pass(lending, DAY_MS)
    const refund = (await refundsOf(id)).at(-1)
    expect(refund).toMatchObject({ status: 'PAID', destination })
    await giveBack(lending, refund?.refund_id ?? '')
    expect(await statusOf(id, announced.id)).toMatchObject({ inSuspense: usd(5_000_00n) })
    await expectSound()
  }
  await inTransaction(lending.db, (tx) => applySuspense(lending.within(tx), announced.id))
  await settle(lending)
  expect((await read(lending, id)).debt.principalCents).toBeLessThan(4_100_00n)
  await expectSound()
})

test('what comes back before it was booked fails the receipt as not received, and the draw as returned', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  const reported = await repay(lending, id, usd(1_000_00n))
  await bringBack(lending, reported.id)
  await settle(lending)
  expect(await statusOf(id, reported.id)).toMatchObject({
    status: 'FAILED',
    failure: 'not_received',
  })
  await pushPortfolio(lending, borrowerId)
  const { id: drawId } = await draw(lending, id, usd(1_000_00n))
  await bringBack(lending, drawId)
  await settle(lending)
  expect(await dataOf(lending, 'draw.failed', drawId)).toMatchObject({
    code: 'returned',
    retryable: false,
  })
  expect((await read(lending, id)).debt.principalCents).toBe(10_000_00n)
  await expectSound()
})

test('final_at frees nothing before the treasury has answered that the money has not come back', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const announced = await announce(lending, id, usd(10_300_00n))
  lending.finalAt.set('card', addMs(lending.now(), 30 * DAY_MS))
  await report(lending, announced, 'card')
  await settle(lending)
  await pass(lending, 29 * DAY_MS, 29 * DAY_MS)
  lending.payments.isDown = true
  await pass(lending, 2 * DAY_MS, DAY_MS)
  expect((await refundsOf(id))[0]).toMatchObject({ status: 'PENDING', ordered: null })
  expect((await read(lending, id)).provisionalUntil).toBeDefined()
  lending.payments.isDown = false
  await pass(lending, DAY_MS)
  await pass(lending, DAY_MS)
  expect((await refundsOf(id))[0]).toMatchObject({ status: 'PAID' })
  expect((await read(lending, id)).provisionalUntil).toBeUndefined()
  await expectSound()
})
