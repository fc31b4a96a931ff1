import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, monthEnd } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { checkLedger } from '../../../../src/domain/facilities/ledger/check-ledger.ts'
import { totalDebtCents } from '../../../../src/domain/facilities/ledger/debt.ts'
import { accrueInterest } from '../../../../src/domain/facilities/ledger/month-end.ts'
import { settleReceipt } from '../../../../src/domain/repayments/confirm-repayment.ts'
import { findViolations } from '../../../support/lending/find-violations.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import { addDrawnFacility, pass, read, repay, usd } from '../../../support/lending/lending.ts'

const lending = houseForFile()

/** Entries of interest, in order of posting. */
async function interestOf(facilityId: string) {
  return await lending.db
    .selectFrom('journal_lines')
    .select(['entry_id', 'amount', 'value_at', 'booked_at'])
    .where('facility_id', '=', facilityId)
    .where('kind', '=', 'interest')
    .where('account', '=', 'interest_receivable')
    .orderBy('booked_at')
    .execute()
}

const month = (end: Date) => `interest/${addMs(end, -1).toISOString().slice(0, 7)}`

test('interest is booked at the end of each month, posted in it, and the debt stays', async () => {
  const { id } = await addDrawnFacility(lending, usd(36_500_00n)) // 10.00 a day
  const before = await read(lending, id)
  const ends = [monthEnd(lending.now())]
  ends.push(monthEnd(ends[0] as Date))
  const target = addMs(ends[1] as Date, DAY_MS)
  const total = totalDebtCents(before.debt, target)
  for (const end of ends) await pass(lending, end.getTime() - lending.now().getTime())
  const entries = await interestOf(id)
  expect(entries).toMatchObject(
    ends.map((end) => ({
      entry_id: month(end),
      value_at: addMs(end, -1),
      booked_at: addMs(end, -1),
    })),
  )
  const { debt } = await read(lending, id)
  expect(debt.accruedAt).toEqual(ends[1])
  expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(debt.interestBookedCents)
  expect(totalDebtCents(debt, target)).toBe(total)
  expect(await checkLedger(lending.db)).toEqual([])
  expect(await findViolations(lending.db)).toEqual([])
})

test('a movement before the month is accrued books the month first, and the month is booked once', async () => {
  const { id } = await addDrawnFacility(lending, usd(36_500_00n))
  const end = monthEnd(lending.now())
  const { instant, tenantId, db } = lending
  lending.advance(end.getTime() - lending.now().getTime() + DAY_MS)
  const repayment = await repay(lending, id, usd(1_000_00n))
  // Confirmed before the deadline at which the month is accrued is met.
  const receipt = { transferId: randomUUID(), amount: repayment.amount }
  const { id: repaymentId, facilityId, inquiry } = repayment
  const confirmed = { id: repaymentId, facilityId, inquiry }
  expect(await interestOf(id)).toEqual([])
  await settleReceipt(lending.context, tenantId, confirmed, receipt)
  const entries = await interestOf(id)
  expect(entries.map(({ entry_id }) => entry_id)).toEqual([
    month(end),
    expect.stringMatching(/^interest\/repayment\/rep_/),
  ])
  expect(entries[1]?.amount).toBe(10_00n)
  await accrueInterest(db, tenantId, instant())
  await accrueInterest(db, tenantId, instant())
  expect(await interestOf(id)).toEqual(entries)
  expect(await checkLedger(db)).toEqual([])
})

test('a first draw that commits after the month’s end is accrued within the hour, before the month may close', async () => {
  const { id } = await addDrawnFacility(lending, usd(36_500_00n))
  const { db, tenantId } = lending
  const end = monthEnd(lending.now())
  lending.advance(end.getTime() - lending.now().getTime())
  const setPrincipal = (cents: bigint) =>
    db
      .updateTable('facilities')
      .set({ principal_cents: cents })
      .where('facility_id', '=', id)
      .execute()
  // As if its transaction had not committed.
  await setPrincipal(0n)
  await accrueInterest(db, tenantId, lending.instant())
  await setPrincipal(36_500_00n)
  expect(await interestOf(id)).toEqual([])
  await pass(lending, HOUR_MS)
  expect(await interestOf(id)).toMatchObject([{ entry_id: month(end) }])
})

test('facilities that another transaction holds are accrued a second later', async () => {
  const { id } = await addDrawnFacility(lending, usd(36_500_00n))
  const { instant, tenantId, db } = lending
  lending.advance(monthEnd(lending.now()).getTime() - lending.now().getTime())
  await inTransaction(db, async (tx) => {
    await tx
      .selectFrom('facilities')
      .select('state')
      .where('tenant_id', '=', tenantId)
      .where('facility_id', '=', id)
      .forUpdate()
      .execute()
    await accrueInterest(db, tenantId, instant())
    expect(await interestOf(id)).toEqual([])
  })
  const { due_at: dueAt } = await db
    .selectFrom('work')
    .select('due_at')
    .where('topic', '=', 'accrue-interest')
    .executeTakeFirstOrThrow()
  expect(dueAt).toEqual(addMs(lending.now(), 1_000))
  await pass(lending, 1_000)
  expect(await interestOf(id)).toHaveLength(1)
})
