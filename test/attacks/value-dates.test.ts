import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../src/domain/facilities/ledger/debt.ts'
import { readPayoff } from '../../src/domain/facilities/statements/payoff.ts'
import { readStatement } from '../../src/domain/facilities/statements/statement.ts'
import { decideReceipt } from '../../src/domain/repayments/decide-receipt.ts'
import { getRepayment, type Repayment } from '../../src/domain/repayments/repayments.ts'
import { findViolations } from '../support/lending/find-violations.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import { addDrawnFacility, pass, read, repay, settle, usd } from '../support/lending/lending.ts'

// A repayment is reported at the draw, and its money is sent much later.

const lending = houseForEachTest()

const stored = ({ facilityId, id }: Repayment) =>
  getRepayment(lending.db, lending.tenantId, facilityId, id)

async function owed(facilityId: string): Promise<bigint> {
  return totalDebtCents((await read(lending, facilityId)).debt, lending.now())
}

/** 10,000.00 at 10 %, of which 10,000.00 are reported as paid on the day of the draw. */
async function reportAtTheDraw(): Promise<Repayment> {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  lending.payments.isDown = true
  const repayment = await repay(lending, id, usd(10_000_00n), 'reported-early')
  await settle(lending)
  return repayment
}

async function confirm(): Promise<void> {
  lending.payments.isDown = false
  await pass(lending, 2 * MINUTE_MS, MINUTE_MS)
}

async function expectSound(): Promise<void> {
  expect(await findViolations(lending.db)).toEqual([])
  expect(await checkLedger(lending.db)).toEqual([])
}

test('money that arrives 73 days after its report pays the interest of 73 days', async () => {
  const repayment = await reportAtTheDraw()
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  const arrived = lending.now()
  lending.receivedAt.set('reported-early', arrived)
  await confirm()
  expect(await stored(repayment)).toMatchObject({
    ...{ status: 'APPLIED', valueAt: arrived },
    allocation: { interestCents: 200_00n, principalCents: 9_800_00n },
  })
  const facility = await read(lending, repayment.facilityId)
  const { lines } = await readStatement({ db: lending.db, now: lending.now() }, facility, {
    interest: 'period',
  })
  expect(lines.find(({ type }) => type === 'repayment')?.valueAt).toEqual(arrived)
  await expectSound()
})

test('money without an instant counts from 72 hours before its confirmation at the earliest', async () => {
  const repayment = await reportAtTheDraw()
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  await confirm()
  const { appliedAt, valueAt, allocation } = await stored(repayment)
  expect(valueAt).toEqual(addMs(appliedAt as Date, -72 * HOUR_MS))
  expect(allocation?.interestCents).toBeGreaterThan(191_00n)
  await expectSound()
})

test('money without an instant that is confirmed within 72 hours counts from its report', async () => {
  const repayment = await reportAtTheDraw()
  await pass(lending, 71 * HOUR_MS, 71 * HOUR_MS)
  await confirm()
  expect((await stored(repayment)).valueAt).toEqual(repayment.reportedAt)
  await expectSound()
})

test('money of before the request counts from the request, and money of later than now from now', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const requestedAt = addMs(now, -DAY_MS)
  const reported = { amount: usd(100n), delivered: usd(100n), requestedAt, reportedAt: now }
  const valueDateOf = (receivedAt: Date) => {
    const receipt = { transferId: 'wire', amount: usd(100n), receivedAt }
    const decision = decideReceipt(reported, receipt, { now, realNow: now })
    return 'valueAt' in decision ? decision.valueAt : undefined
  }
  expect(valueDateOf(addMs(now, -40 * DAY_MS))).toEqual(requestedAt)
  expect(valueDateOf(addMs(now, -HOUR_MS))).toEqual(addMs(now, -HOUR_MS))
  expect(valueDateOf(addMs(now, 30_000))).toEqual(now)
})

test('money is dated by the clock of its tenant, which may be ahead of the treasury', () => {
  const realNow = new Date('2026-11-20T12:00:00Z')
  const now = addMs(realNow, 100 * DAY_MS)
  const reported = {
    amount: usd(100n),
    delivered: usd(100n),
    requestedAt: addMs(now, -DAY_MS),
    reportedAt: now,
  }
  const receipt = { transferId: 'wire', amount: usd(100n), receivedAt: addMs(realNow, -HOUR_MS) }
  expect(decideReceipt(reported, receipt, { now, realNow })).toMatchObject({
    valueAt: addMs(now, -HOUR_MS),
  })
})

test('what the payoff asks for an instant closes the debt to the cent when it is received then, whenever it is reported and confirmed', async () => {
  const times = fc.record({
    untilReceipt: fc.integer({ min: 0, max: 40 * DAY_MS }),
    report: fc.constantFrom('before', 'after'),
    untilConfirmation: fc.integer({ min: 0, max: 10 * DAY_MS }),
  })
  let round = 0
  await fc.assert(
    fc.asyncProperty(times, async ({ untilReceipt, report, untilConfirmation }) => {
      const { id } = await addDrawnFacility(lending, usd(20_000_00n))
      round += 1
      const reference = `payoff-${round}`
      await pass(lending, 3 * DAY_MS, 3 * DAY_MS)
      const at = addMs(lending.now(), untilReceipt)
      const facility = await read(lending, id)
      const { totalCents } = readPayoff(facility, { at, now: lending.now() }).outstanding
      lending.receivedAt.set(reference, at)
      lending.payments.isDown = true
      const send = () => repay(lending, id, usd(totalCents), reference)
      let repayment = report === 'before' ? await send() : undefined
      await pass(lending, untilReceipt)
      repayment ??= await send()
      lending.advance(untilConfirmation)
      await confirm()
      expect(await stored(repayment)).toMatchObject({
        ...{ status: 'APPLIED', valueAt: at },
        allocation: { refundCents: 0n },
      })
      expect(await owed(id)).toBe(0n)
    }),
    { numRuns: 12 },
  )
  await expectSound()
}, 120_000)
