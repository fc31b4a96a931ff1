import { expect, test } from 'vitest'
import type { Amount } from '../../src/core/money.ts'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { deficitOf } from '../../src/domain/facilities/closing/recover.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { readKeyOfFacility } from '../../src/domain/personal/borrower-key.ts'
import { getRepayment, type Repayment } from '../../src/domain/repayments/repayments.ts'
import { applySuspense, returnSuspense } from '../../src/domain/repayments/suspense.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
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
  usdc,
} from '../support/lending/lending.ts'
import { addBorrowed, holdPrice, tick } from '../support/lending/margin.ts'

// The treasury answers with more than was claimed, or with money that can still be taken back.

const lending = houseForEachTest()

const now = ({ facilityId, id }: Repayment) =>
  getRepayment(lending.db, lending.tenantId, facilityId, id)

async function refundsOf(facilityId: string) {
  const rows = await lending.db
    .selectFrom('refunds')
    .select(['source_id', 'status', 'asset', 'amount_units', 'destination'])
    .where('tenant_id', '=', lending.tenantId)
    .where('facility_id', '=', facilityId)
    .orderBy('created_at')
    .execute()
  const key = await readKeyOfFacility(lending.db, { tenantId: lending.tenantId, facilityId })
  return rows.map((row) => ({
    ...{ source: row.source_id, status: row.status },
    to: key.open(row.destination, 'destination'),
    amount: { asset: row.asset, units: row.amount_units },
  }))
}

async function expectSound(): Promise<void> {
  expect(await checkLedger(lending.db)).toEqual([])
  expect(await findViolations(lending.db)).toEqual([])
}

/** 20,000.00 are drawn; so much is reported, and so much received. */
async function receive(claimed: Amount, received: Amount): Promise<Repayment> {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.received.set('over', received)
  const repayment = await repay(lending, id, claimed, 'over')
  await settle(lending)
  return repayment
}

const apply = ({ id }: Repayment) =>
  inTransaction(lending.db, (tx) => applySuspense(lending.within(tx), id))
const giveBack = ({ id }: Repayment, to: string) =>
  inTransaction(lending.db, (tx) => returnSuspense(lending.within(tx), id, to))

test('a receipt of a million for a claim of one dollar pays one dollar and refunds nothing', async () => {
  const repayment = await receive(usd(1_00n), usd(1_000_000_00n))
  expect(await now(repayment)).toMatchObject({
    ...{ status: 'APPLIED', confirmed: usd(1_00n), inSuspense: usd(999_999_00n) },
    allocation: { principalCents: 1_00n, refundCents: 0n },
  })
  expect(await dataOf(lending, 'repayment.applied', repayment.id)).toMatchObject({
    confirmed: { amount: '1.00', asset: 'USD' },
    in_suspense: { amount: '999999.00', asset: 'USD' },
  })
  expect(await refundsOf(repayment.facilityId)).toEqual([])
  await expectSound()
})

test('a receipt in another asset that is far above the claim is not sent back unseen', async () => {
  const repayment = await receive(usd(1_00n), usdc(999_999_999_000_000n))
  expect(await now(repayment)).toMatchObject({
    ...{ status: 'REPORTED', contestedTransfer: expect.any(String) },
  })
  expect(await refundsOf(repayment.facilityId)).toEqual([])
  lending.received.set('a little', usdc(101_000_000n))
  const little = await repay(lending, repayment.facilityId, usd(1_00n), 'a little')
  await settle(lending)
  expect(await now(little)).toMatchObject({ status: 'FAILED' })
  expect(await refundsOf(repayment.facilityId)).toMatchObject([{ source: little.id }])
  await expectSound()
})

test('a receipt of 100.00 above the claim is applied whole, and of a cent more is not', async () => {
  const whole = await receive(usd(500_00n), usd(600_00n))
  expect(await now(whole)).toMatchObject({ confirmed: usd(600_00n), inSuspense: undefined })
  lending.received.set('a cent more', usd(600_01n))
  const { facilityId } = whole
  const more = await repay(lending, facilityId, usd(500_00n), 'a cent more')
  await settle(lending)
  expect(await now(more)).toMatchObject({ confirmed: usd(500_00n), inSuspense: usd(100_01n) })
  await expectSound()
})

test('what two operators apply is a repayment of its own at the value date of the receipt', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  const arrived = lending.now()
  await pass(lending, 10 * DAY_MS, 10 * DAY_MS)
  lending.received.set('over', usd(6_000_00n))
  lending.receivedAt.set('over', addMs(arrived, 10 * DAY_MS))
  const repayment = await repay(lending, id, usd(1_000_00n), 'over')
  await settle(lending)
  await pass(lending, 30 * DAY_MS, 30 * DAY_MS)
  await apply(repayment)
  await settle(lending)
  const [part] = await lending.db
    .selectFrom('repayments')
    .selectAll()
    .where('split_from', '=', repayment.id)
    .execute()
  const { valueAt, inSuspense } = await now(repayment)
  expect(inSuspense).toBeUndefined()
  expect(part).toMatchObject({ status: 'APPLIED', reference: null, value_at: valueAt })
  expect(await dataOf(lending, 'repayment.applied', part?.repayment_id ?? '')).toMatchObject({
    ...{ split_from: repayment.id, confirmed: { amount: '5000.00', asset: 'USD' } },
  })
  // 54.80 of interest until the receipt; the rest of 6,000.00 is principal from then on.
  expect((await read(lending, id)).debt.principalCents).toBe(20_000_00n - 6_000_00n + 54_80n)
  expect(await refundsOf(id)).toEqual([])
  await expectSound()
  await expect(apply(repayment)).rejects.toMatchObject({ code: 'validation_failed' })
})

test('what is applied in USDC pays, and what the debt does not take goes back', async () => {
  const repayment = await receive(usdc(500_000_000n), usdc(25_000_000_000n))
  expect(await now(repayment)).toMatchObject({ inSuspense: usdc(24_500_000_000n) })
  await expectSound()
  await apply(repayment)
  await settle(lending)
  expect((await read(lending, repayment.facilityId)).debt.principalCents).toBe(0n)
  expect(await refundsOf(repayment.facilityId)).toMatchObject([
    { status: 'PAID', amount: usd(5_000_00n) },
  ])
  await expectSound()
})

test.each([
  ['USD', usd(1_00n), usd(700_00n), usd(699_00n)],
  ['USDC', usdc(1_000_000n), usdc(700_000_000n), usdc(699_000_000n)],
])(
  'what two operators return in %s goes where both confirm',
  async (_, claimed, received, back) => {
    const repayment = await receive(claimed, received)
    await giveBack(repayment, 'account-of-the-payer')
    await settle(lending)
    expect(await refundsOf(repayment.facilityId)).toEqual([
      {
        ...{ source: `${repayment.id}/suspense`, status: 'PAID', to: 'account-of-the-payer' },
        amount: back,
      },
    ])
    expect((await now(repayment)).inSuspense).toBeUndefined()
    await expectSound()
    const again = giveBack(repayment, 'account-of-the-payer')
    await expect(again).rejects.toMatchObject({ code: 'validation_failed' })
  },
)

test('what is in suspense does not hold up a closing, and is returned after it', async () => {
  const repayment = await receive(usd(20_000_00n), usd(30_000_00n))
  await requestClosing(lending, repayment.facilityId)
  await pass(lending, 5 * MINUTE_MS, MINUTE_MS)
  expect(await read(lending, repayment.facilityId)).toMatchObject({ state: 'CLOSED' })
  await giveBack(repayment, 'account-of-the-payer')
  await settle(lending)
  expect(await refundsOf(repayment.facilityId)).toMatchObject([
    { status: 'PAID', amount: usd(10_000_00n) },
  ])
  await expectSound()
})

test('nobody is sold while money that clears the floor is in suspense, for 24 hours', async () => {
  const { id } = await addDrawnFacility(lending, usd(40_000_00n))
  lending.received.set('over', usd(21_000_00n))
  const repayment = await repay(lending, id, usd(1_000_00n), 'over')
  await settle(lending)
  // 39,000.00 against 48,500.00 is above 0.80: two hours. With 20,000.00 less the floor is clear.
  await holdPrice(lending, '50000')
  const statusOf = async () => {
    const { status } = await lending.db
      .selectFrom('margin_warnings')
      .select('status')
      .where('facility_id', '=', id)
      .executeTakeFirstOrThrow()
    return status
  }
  expect(await statusOf()).toBe('OPEN')
  for (let hours = 0; hours < 23; hours += 1) await tick(lending, HOUR_MS)
  expect(await statusOf()).toBe('OPEN')
  expect((await now(repayment)).inSuspense).toEqual(usd(20_000_00n))
  for (let hours = 0; hours < 2; hours += 1) await tick(lending, HOUR_MS)
  expect(await statusOf()).toBe('ESCALATED')
  await expectSound()
})

/** 48,000.00 are drawn; the collateral falls to nothing, and brings 0.99. */
const chargeOff = async (facilityId: string) => {
  await pass(lending, 30 * DAY_MS)
  await holdPrice(lending, '1')
  const { state, chargedOff } = await read(lending, facilityId)
  expect([state, chargedOff?.recoveredCents]).toEqual(['CLOSED', 0n])
}
const deficit = async (facilityId: string) => {
  const { principalCents, interestCents } = deficitOf(await read(lending, facilityId))
  return principalCents + interestCents
}
const receiveFor = async (facilityId: string, received: bigint) => {
  lending.received.set('over', usd(received))
  const repayment = await repay(lending, facilityId, usd(1_000_00n), 'over')
  await settle(lending)
  expect(await now(repayment)).toMatchObject({ inSuspense: usd(received - 1_000_00n) })
  return repayment
}
const partOf = async ({ id }: Repayment) =>
  await lending.db
    .selectFrom('repayments')
    .select(['status', 'is_recovery', 'principal_cents', 'interest_cents', 'refund_cents'])
    .where('split_from', '=', id)
    .executeTakeFirst()

test('what is in suspense of a charged-off debt is applied as a recovery, and what is beyond the deficit goes back', async () => {
  const { id } = await addBorrowed(lending)
  await chargeOff(id)
  const owed = await deficit(id)
  const repayment = await receiveFor(id, 60_000_00n)
  expect(await deficit(id)).toBe(owed - 1_000_00n)
  await apply(repayment)
  await settle(lending)
  expect(await partOf(repayment)).toEqual({
    ...{ status: 'APPLIED', is_recovery: true, principal_cents: 47_000_00n },
    ...{ interest_cents: owed - 48_000_00n, refund_cents: 60_000_00n - owed },
  })
  expect((await read(lending, id)).chargedOff?.recoveredCents).toBe(owed)
  expect(await refundsOf(id)).toMatchObject([
    { status: 'PAID', amount: usd(60_000_00n - owed), to: expect.any(String) },
  ])
  await expectSound()
})

test('what was received before the charge-off pays the deficit too once it is applied', async () => {
  const { id } = await addBorrowed(lending)
  const repayment = await receiveFor(id, 6_000_00n)
  await chargeOff(id)
  const owed = await deficit(id)
  await apply(repayment)
  await settle(lending)
  expect(await partOf(repayment)).toMatchObject({ status: 'APPLIED', refund_cents: 0n })
  expect(await deficit(id)).toBeLessThanOrEqual(owed - 5_000_00n)
  expect(await refundsOf(id)).toEqual([])
  await expectSound()
})

test('what is in suspense of a charged-off debt is returned whole, and the deficit stays', async () => {
  const { id } = await addBorrowed(lending)
  const repayment = await receiveFor(id, 6_000_00n)
  await chargeOff(id)
  const before = await read(lending, id)
  await giveBack(repayment, 'account-of-the-payer')
  expect((await read(lending, id)).refundDueCents).toBe(5_000_00n)
  await settle(lending)
  expect(await refundsOf(id)).toMatchObject([
    { status: 'PAID', amount: usd(5_000_00n), to: 'account-of-the-payer' },
  ])
  expect(await read(lending, id)).toMatchObject({
    ...{ state: 'CLOSED', chargedOff: before.chargedOff, refundDueCents: 0n },
  })
  await expectSound()
})

/** 40,000.00 of the limit are drawn and so much is paid by a revocable rail, final in 60 days. */
async function payRevocably(cents: bigint): Promise<Repayment> {
  const { id } = await addDrawnFacility(lending, usd(40_000_00n))
  lending.finalAt.set('card', addMs(lending.now(), 60 * DAY_MS))
  const repayment = await repay(lending, id, usd(cents), 'card')
  await settle(lending)
  return repayment
}

const drawMore = async (facilityId: string, cents: bigint) => {
  const { borrowerId } = await read(lending, facilityId)
  await pushPortfolio(lending, borrowerId)
  return await draw(lending, facilityId, usd(cents))
}

test('money that can be taken back pays the debt and frees neither limit nor floor until it is final', async () => {
  const { facilityId } = await payRevocably(30_000_00n)
  const paid = await read(lending, facilityId)
  expect(paid.debt.principalCents).toBe(10_000_00n)
  expect(paid.custodianFloorCents).toBeGreaterThan(57_000_00n)
  await expect(drawMore(facilityId, 1_000_00n)).rejects.toMatchObject({
    code: 'credit_limit_exceeded',
  })
  await pass(lending, 59 * DAY_MS, 59 * DAY_MS)
  await expect(drawMore(facilityId, 1_000_00n)).rejects.toMatchObject({
    code: 'credit_limit_exceeded',
  })
  expect((await read(lending, facilityId)).custodianFloorCents).toBeGreaterThan(57_000_00n)
  await pass(lending, DAY_MS, DAY_MS)
  expect((await read(lending, facilityId)).custodianFloorCents).toBeLessThan(15_000_00n)
  await drawMore(facilityId, 1_000_00n)
  await settle(lending)
  await expectSound()
})

test('money that can be taken back cures a warning', async () => {
  const { id } = await addDrawnFacility(lending, usd(40_000_00n))
  await holdPrice(lending, '55000')
  lending.finalAt.set('card', addMs(lending.now(), 60 * DAY_MS))
  await repay(lending, id, usd(20_000_00n), 'card')
  await settle(lending)
  const { status } = await lending.db
    .selectFrom('margin_warnings')
    .select('status')
    .where('facility_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(status).toBe('CURED')
  await expectSound()
})

test('nothing that follows from money that can be taken back is paid out before it is final', async () => {
  const { facilityId } = await payRevocably(40_000_00n)
  // Final money, all of which is owed back because the other has paid the debt.
  await repay(lending, facilityId, usd(5_000_00n))
  await pass(lending, 59 * DAY_MS, 59 * DAY_MS)
  expect(await refundsOf(facilityId)).toMatchObject([{ status: 'PENDING' }])
  await pass(lending, DAY_MS, DAY_MS)
  expect(await refundsOf(facilityId)).toMatchObject([{ status: 'PAID', amount: usd(5_000_00n) }])
  await expectSound()
})

test('what is returned out of suspense is paid when it is final', async () => {
  const { id } = await addDrawnFacility(lending, usd(20_000_00n))
  lending.finalAt.set('card', addMs(lending.now(), 60 * DAY_MS))
  lending.received.set('card', usd(900_00n))
  const repayment = await repay(lending, id, usd(1_00n), 'card')
  await settle(lending)
  await giveBack(repayment, 'card-of-the-payer')
  await pass(lending, 59 * DAY_MS, 59 * DAY_MS)
  expect(await refundsOf(id)).toMatchObject([{ status: 'PENDING' }])
  await pass(lending, DAY_MS, DAY_MS)
  expect(await refundsOf(id)).toMatchObject([{ status: 'PAID', amount: usd(899_00n) }])
  await expectSound()
})

test('a debt repaid by money that can be taken back closes, and its lien is released when it is final', async () => {
  const { facilityId } = await payRevocably(40_000_00n)
  await requestClosing(lending, facilityId)
  await pass(lending, 59 * DAY_MS, 59 * DAY_MS)
  expect(await read(lending, facilityId)).toMatchObject({ state: 'CLOSING' })
  await pass(lending, DAY_MS, DAY_MS)
  expect(await read(lending, facilityId)).toMatchObject({ state: 'CLOSED' })
  await expectSound()
})

test('a limit is freed by what would be owed without the money, later payments included', async () => {
  const { facilityId } = await payRevocably(10_000_00n)
  await pass(lending, 30 * DAY_MS, 30 * DAY_MS)
  const later = await announce(lending, facilityId, usd(20_000_00n))
  await report(lending, later)
  await settle(lending)
  // Without the 10,000.00, 20,328.77 of principal and interest: 328.77 pay interest of 30 days.
  await expect(drawMore(facilityId, 19_671_24n)).rejects.toMatchObject({
    code: 'credit_limit_exceeded',
  })
  await drawMore(facilityId, 19_671_23n)
  await settle(lending)
  await expectSound()
})
