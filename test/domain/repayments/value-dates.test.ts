import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../../src/core/time.ts'
import { checkLedger } from '../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../src/domain/facilities/ledger/debt.ts'
import { settleReceipt } from '../../../src/domain/repayments/confirm-repayment.ts'
import { getRepayment, type Repayment } from '../../../src/domain/repayments/repayments.ts'
import { houseForFile } from '../../support/lending/houses.ts'
import {
  addDrawnFacility,
  draw,
  pass,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
} from '../../support/lending/lending.ts'
import { permutations } from '../../support/permutations.ts'

const lending = houseForFile()

/** Reports three payments, 30 days from each other, none of which is answered yet. */
async function reportThree(facilityId: string): Promise<Repayment[]> {
  const reported: Repayment[] = []
  for (const cents of [2_000_00n, 500_00n, 3_000_00n]) {
    await pass(lending, 30 * DAY_MS, 30 * DAY_MS)
    reported.push(await repay(lending, facilityId, usd(cents)))
  }
  return reported
}

/** Received as it was reported. */
async function confirm({ facilityId, id, inquiry, amount, reportedAt }: Repayment): Promise<void> {
  const receipt = { transferId: randomUUID(), amount, receivedAt: reportedAt }
  const { context, tenantId } = lending
  await settleReceipt(context, tenantId, { id, facilityId, inquiry }, receipt)
}

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n)

test('payments confirmed in any order leave one debt, and what was reported of each stays', async () => {
  const debts = new Set<bigint>()
  for (const order of permutations([0, 1, 2])) {
    const { id } = await addDrawnFacility(lending, usd(10_000_00n))
    const drawnAt = lending.now().getTime()
    lending.payments.isDown = true
    const reported = await reportThree(id)
    const elapsed = lending.now().getTime() - drawnAt
    expect(elapsed).toBe(90 * DAY_MS)
    const allocations = new Map<string, Repayment['allocation']>()
    for (const index of order) {
      const repayment = reported[index]
      if (!repayment) throw new Error('there are three')
      await confirm(repayment)
      const applied = await getRepayment(lending.db, lending.tenantId, id, repayment.id)
      allocations.set(repayment.id, applied.allocation)
      expect(await checkLedger(lending.db)).toEqual([])
    }
    for (const [repaymentId, allocation] of allocations) {
      const { allocation: now } = await getRepayment(lending.db, lending.tenantId, id, repaymentId)
      expect(now).toEqual(allocation)
    }
    const { debt } = await read(lending, id)
    debts.add(totalDebtCents(debt, lending.now()))
    lending.payments.isDown = false
  }
  // 10,000.00 for 30 days cost 82.191780…; 8,082.20 for 30 days 66.429041…; 7,648.63 for 30 days
  // 62.865452…: 10,000.00 + 211.49 − 5,500.00.
  expect([...debts]).toEqual([4_711_49n])
}, 60_000)

test('a payment that arrived before one already applied is followed by a correcting entry', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  lending.payments.isDown = true
  const early = await repay(lending, id, usd(5_000_00n))
  await pass(lending, 73 * DAY_MS, 73 * DAY_MS)
  const late = await repay(lending, id, usd(1_000_00n))
  lending.payments.isDown = false
  await confirm(late) // 200.00 of interest and 800.00 of principal
  await confirm(early)
  const lines = await lending.db
    .selectFrom('journal_lines')
    .select(['account', 'amount', 'value_at'])
    .where('facility_id', '=', id)
    .where('kind', '=', 'correction')
    .orderBy('line')
    .execute()
  expect(lines).toEqual([
    { account: 'interest_receivable', amount: 100_00n, value_at: late.reportedAt },
    { account: 'loans_receivable', amount: -100_00n, value_at: late.reportedAt },
  ])
  const first = await getRepayment(lending.db, lending.tenantId, id, late.id)
  expect(first.allocation).toMatchObject({ interestCents: 200_00n, principalCents: 800_00n })
  expect(await read(lending, id)).toMatchObject({
    debt: { principalCents: 4_100_00n, interestPaidCents: 100_00n, interestBookedCents: 100_00n },
  })
  expect(await checkLedger(lending.db)).toEqual([])
})

test('a payoff confirmed after a later draw leaves that draw owed, and returns what is left', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  lending.payments.isDown = true
  const early = await repay(lending, id, usd(10_500_00n))
  lending.payments.isDown = false
  await pass(lending, HOUR_MS, HOUR_MS)
  await pushPortfolio(lending, borrowerId)
  await draw(lending, id, usd(1_000_00n))
  await settle(lending)
  await confirm(early)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({
    debt: { principalCents: 1_000_00n },
    refundDueCents: 0n,
  })
  const refunds = await lending.db
    .selectFrom('refunds')
    .select('cents')
    .where('facility_id', '=', id)
    .execute()
  expect(sumOf(refunds.map(({ cents }) => cents))).toBe(500_00n)
})
