import { describe, expect, test } from 'vitest'
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { listCorrections } from '../../../../src/domain/facilities/corrections/corrections.ts'
import { requestWriteOffReading } from '../../../../src/domain/facilities/corrections/write-off-reading.ts'
import { outstandingAt } from '../../../../src/domain/facilities/ledger/debt.ts'
import { readStatement } from '../../../../src/domain/facilities/statements/statement.ts'
import { toStatementBody } from '../../../../src/domain/facilities/statements/statement-document.ts'
import { settleReceipt } from '../../../../src/domain/repayments/confirm-repayment.ts'
import { correct } from '../../../support/lending/corrections.ts'
import { expectExact } from '../../../support/lending/exact-books.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import {
  addDrawnFacility,
  dataOf,
  eventsOf,
  pass,
  read,
  repay,
  requestClosing,
  settle,
  usd,
} from '../../../support/lending/lending.ts'
import {
  addBorrowed,
  expectSound,
  holdPrice,
  marginEvents,
  readWarning,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest()

const DAYS = 73 * DAY_MS

const refused = (code: string) => expect.objectContaining({ code })

/** 10,000.00 at 10 % for 73 days: 200.00 of interest. */
async function addOwing(): Promise<string> {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  await pass(lending, DAYS)
  return id
}

async function owedBy(id: string) {
  const { debt } = await read(lending, id)
  const { principalCents, interestCents } = outstandingAt(debt, lending.now())
  return { principalCents, interestCents }
}

async function statementOf(id: string) {
  const facility = await read(lending, id)
  const reading = { db: lending.db, now: lending.now() }
  return toStatementBody(await readStatement(reading, facility, { interest: 'period' }))
}

/** The statement ends at the debt, and every invariant holds. */
async function expectBooked(id: string): Promise<void> {
  const { principalCents, interestCents } = await owedBy(id)
  const { closing } = await statementOf(id)
  const text = (cents: bigint) => (Number(cents) / 100).toFixed(2)
  expect(closing).toMatchObject({ principal: text(principalCents), interest: text(interestCents) })
  await expectSound(lending, id)
}

test('interest is waived up to what is owed, and the tenant learns of it', async () => {
  const id = await addOwing()
  await expect(correct(lending, id, { kind: 'waive_interest', cents: 200_01n })).rejects.toEqual(
    refused('validation_failed'),
  )
  const { correctionId } = await correct(lending, id, { kind: 'waive_interest', cents: 150_00n })
  expect(await owedBy(id)).toEqual({ principalCents: 10_000_00n, interestCents: 50_00n })
  expect(await dataOf(lending, 'facility.corrected', id)).toEqual({
    facility_id: id,
    correction_id: correctionId,
    kind: 'waive_interest',
    amount: { amount: '150.00', asset: 'USD' },
    outstanding_usd: '10050.00',
  })
  const { lines } = await statementOf(id)
  expect(lines.at(-1)).toMatchObject({
    ...{ type: 'correction', correction_id: correctionId },
    ...{ principal: '0.00', interest: '-150.00', balance: { total: '10050.00' } },
  })
  await expectBooked(id)
})

test('a credit lowers the principal from its day, and undone it is as if it had never been', async () => {
  const id = await addOwing()
  const credit = { kind: 'credit', cents: 1_000_00n } as const
  const { correctionId } = await correct(lending, id, credit)
  await pass(lending, 20 * DAY_MS)
  await repay(lending, id, usd(500_00n))
  await settle(lending)
  await expectBooked(id)
  const undo = { kind: 'undo', correctionId } as const
  await correct(lending, id, undo)
  // 10,000.00 for 93 days owe 254.80; the repayment paid them, and 245.20 of principal.
  expect(await owedBy(id)).toEqual({ principalCents: 9_754_80n, interestCents: 0n })
  expect(await dataOf(lending, 'facility.corrected', id)).toMatchObject({
    ...{ correction_id: correctionId, kind: 'undo', amount: { amount: '1000.00', asset: 'USD' } },
  })
  expect(await listCorrections(lending.db, { tenantId: lending.tenantId, id })).toMatchObject([
    { id: correctionId, undoneAt: lending.now() },
  ])
  await expectBooked(id)
  await expect(correct(lending, id, undo)).rejects.toEqual(refused('not_found'))
})

test('an undo is refused after 30 days, and once a release was sent', async () => {
  const id = await addOwing()
  const waive = { kind: 'waive_interest', cents: 1_00n } as const
  const { correctionId: first } = await correct(lending, id, waive)
  await pass(lending, 30 * DAY_MS + 1)
  const { correctionId: second } = await correct(lending, id, waive)
  const undo = (correctionId: string) => correct(lending, id, { kind: 'undo', correctionId })
  await expect(undo(first)).rejects.toEqual(refused('validation_failed'))
  const { principalCents, interestCents } = await owedBy(id)
  await repay(lending, id, usd(principalCents + interestCents))
  await settle(lending)
  lending.custodian.next = ['pending']
  await requestClosing(lending, id)
  await settle(lending)
  expect((await read(lending, id)).releaseSentAt).toBeDefined()
  await expect(undo(second)).rejects.toEqual(refused('validation_failed'))
})

test('an undo after the debt was repaid and before the release is sent opens the facility again', async () => {
  const id = await addOwing()
  const waive = { kind: 'waive_interest', cents: 150_00n } as const
  const { correctionId } = await correct(lending, id, waive)
  await repay(lending, id, usd(10_050_00n))
  await settle(lending)
  await requestClosing(lending, id)
  await correct(lending, id, { kind: 'undo', correctionId })
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED', closeReason: undefined })
  const { principalCents, interestCents } = await owedBy(id)
  expect(principalCents + interestCents).toBe(150_00n)
  await expectBooked(id)
})

test('the rate is lower from a day on: interest, statement and later interest follow', async () => {
  const id = await addOwing()
  const from = addMs(lending.now(), -DAYS / 2)
  await correct(lending, id, { kind: 'rate', ratePpm: 50_000n, from })
  // 100.00 for the first half, 50.00 for the second.
  expect(await owedBy(id)).toEqual({ principalCents: 10_000_00n, interestCents: 150_00n })
  await expectBooked(id)
  await pass(lending, DAYS)
  expect(await owedBy(id)).toEqual({ principalCents: 10_000_00n, interestCents: 250_00n })
  await expectBooked(id)
  expect(await dataOf(lending, 'facility.corrected', id)).toMatchObject({
    ...{ kind: 'rate', rate: '0.05', from: from.toISOString(), outstanding_usd: '10150.00' },
  })
  const above = { kind: 'rate', ratePpm: 60_000n, from: addMs(from, -DAY_MS) } as const
  await expect(correct(lending, id, above)).rejects.toEqual(refused('validation_failed'))
})

test('a rate undone leaves the one corrected before it, and the agreed one where none is left', async () => {
  const id = await addOwing()
  const from = addMs(lending.now(), -DAYS / 2)
  const first = await correct(lending, id, { kind: 'rate', ratePpm: 50_000n, from })
  const second = await correct(lending, id, { kind: 'rate', ratePpm: 0n, from })
  expect(await owedBy(id)).toMatchObject({ interestCents: 100_00n })
  await correct(lending, id, { kind: 'undo', correctionId: second.correctionId })
  expect(await owedBy(id)).toMatchObject({ interestCents: 150_00n })
  await correct(lending, id, { kind: 'undo', correctionId: first.correctionId })
  expect(await owedBy(id)).toMatchObject({ interestCents: 200_00n })
  expect(await read(lending, id)).toMatchObject({ earlierRates: [], debt: { ratePpm: 100_000n } })
  await expectBooked(id)
})

test('what a lower rate frees on a facility closed as repaid is owed back and paid out', async () => {
  const id = await addOwing()
  const from = addMs(lending.now(), -DAYS)
  await repay(lending, id, usd(10_200_00n))
  await settle(lending)
  await requestClosing(lending, id)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED' })
  await pass(lending, DAY_MS)
  await correct(lending, id, { kind: 'rate', ratePpm: 50_000n, from })
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', refundDueCents: 100_00n })
  await settle(lending)
  const refunds = await lending.db.selectFrom('refunds').selectAll().execute()
  expect(refunds.filter((row) => row.facility_id === id)).toMatchObject([
    { status: 'PAID', cents: 100_00n },
  ])
  await expectBooked(id)
})

describe('on a facility that was written off', () => {
  /** 10,000.00 and 200.00, with nothing at the custodian. */
  async function writeOff(): Promise<string> {
    const id = await addOwing()
    const { borrowerId } = await read(lending, id)
    lending.held.set(borrowerId, [])
    await inTransaction(lending.db, (tx) =>
      requestWriteOffReading({ tx, tenantId: lending.tenantId, realNow: lending.now() }, id),
    )
    await settle(lending)
    await correct(lending, id, { kind: 'write_off' }, 'answer')
    await settle(lending)
    return id
  }

  test('the deficit is the debt, and the lien is released', async () => {
    const id = await writeOff()
    expect(await read(lending, id)).toMatchObject({
      ...{ state: 'CLOSED', closeReason: 'charged_off' },
      chargedOff: { principalCents: 10_000_00n, interestCents: 200_00n, recoveredCents: 0n },
    })
    expect(await dataOf(lending, 'facility.corrected', id)).toMatchObject({
      kind: 'write_off',
      charged_off: { principal: '10000.00', interest: '200.00', recovered: '0.00' },
      outstanding_usd: '0.00',
    })
    await expectBooked(id)
  })

  test('recoveries confirmed in another order are booked in the order of their value dates', async () => {
    const id = await writeOff()
    const first = await repay(lending, id, usd(9_000_00n))
    lending.advance(DAY_MS)
    const second = await repay(lending, id, usd(5_000_00n))
    for (const { id: repaymentId, inquiry, amount, reportedAt } of [second, first]) {
      const receipt = { transferId: repaymentId, amount, receivedAt: reportedAt }
      const repayment = { id: repaymentId, facilityId: id, inquiry }
      await settleReceipt(lending.context, lending.tenantId, repayment, receipt)
    }
    expect(await read(lending, id)).toMatchObject({
      ...{ chargedOff: { recoveredCents: 10_200_00n }, refundDueCents: 3_800_00n },
    })
    await expectExact(lending, id)
    await expectBooked(id)
  })

  test('a credit, a waiver and a rate lower the deficit, and what was recovered beyond it is owed back', async () => {
    const id = await writeOff()
    await repay(lending, id, usd(9_900_00n))
    await settle(lending)
    await correct(lending, id, { kind: 'credit', cents: 50_00n })
    await expect(correct(lending, id, { kind: 'credit', cents: 50_01n })).rejects.toEqual(
      refused('validation_failed'),
    )
    await correct(lending, id, { kind: 'waive_interest', cents: 120_00n })
    expect(await read(lending, id)).toMatchObject({
      chargedOff: { principalCents: 9_950_00n, interestCents: 80_00n, recoveredCents: 9_900_00n },
    })
    await expectBooked(id)
    const from = addMs((await read(lending, id)).createdAt, 1)
    await correct(lending, id, { kind: 'rate', ratePpm: 0n, from })
    const { chargedOff, refundDueCents } = await read(lending, id)
    expect(chargedOff).toMatchObject({ principalCents: 9_950_00n, recoveredCents: 9_900_00n })
    expect(refundDueCents).toBe(0n)
    await expectBooked(id)
  })
})

describe('a write-off', () => {
  test('waits for the custodian, and is refused while something can be sold', async () => {
    const id = await addOwing()
    const writeOff = () => correct(lending, id, { kind: 'write_off' }, 'answer')
    await expect(writeOff()).rejects.toEqual(refused('outstanding_balance'))
    await inTransaction(lending.db, (tx) =>
      requestWriteOffReading({ tx, tenantId: lending.tenantId, realNow: lending.now() }, id),
    )
    await settle(lending)
    await expect(writeOff()).rejects.toMatchObject({ message: expect.stringContaining('sold') })
    lending.held.set((await read(lending, id)).borrowerId, [])
    await pass(lending, 10 * MINUTE_MS)
    // The answer is at most 15 minutes old.
    lending.advance(16 * MINUTE_MS)
    await expect(writeOff()).rejects.toMatchObject({ message: expect.stringContaining('asked') })
    await settle(lending)
    await writeOff()
    expect(await read(lending, id)).toMatchObject({ state: 'CLOSING', closeReason: 'charged_off' })
  })

  test('is refused while money is under way or a warning is open', async () => {
    const { id: other } = await addDrawnFacility(lending, usd(1_000_00n))
    await repay(lending, other, usd(10_00n))
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    for (const one of [other, id]) {
      await expect(correct(lending, one, { kind: 'write_off' })).rejects.toEqual(
        refused('outstanding_balance'),
      )
    }
  })
})

describe('a forbearance', () => {
  test('moves the deadline of a warning by its length, leaves two hours, and is shown until its end', async () => {
    const { id } = await addBorrowed(lending)
    await holdPrice(lending, '68000')
    await pass(lending, 47 * HOUR_MS + 30 * MINUTE_MS, 12 * HOUR_MS)
    const until = addMs(lending.now(), 10 * DAY_MS)
    await correct(lending, id, { kind: 'forbearance', until })
    await settle(lending)
    expect(await read(lending, id)).toMatchObject({ forbearanceUntil: until })
    await pass(lending, 10 * DAY_MS, DAY_MS)
    expect(await readWarning(lending, id)).toMatchObject({
      ...{ status: 'OPEN', cureDeadline: addMs(until, 2 * HOUR_MS) },
    })
    await pass(lending, 3 * HOUR_MS, HOUR_MS)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expectSound(lending, id)
  })

  test('is lengthened and never shortened, and ends within 12 months', async () => {
    const { id } = await addBorrowed(lending)
    const forbear = (ms: number) =>
      correct(lending, id, { kind: 'forbearance', until: addMs(lending.now(), ms) })
    await forbear(10 * DAY_MS)
    await expect(forbear(9 * DAY_MS)).rejects.toEqual(refused('validation_failed'))
    await expect(forbear(366 * DAY_MS)).rejects.toEqual(refused('validation_failed'))
    await expect(forbear(0)).rejects.toEqual(refused('validation_failed'))
    await forbear(20 * DAY_MS)
    expect(await eventsOf(lending, id)).toEqual(
      expect.arrayContaining(['facility.corrected', 'facility.corrected']),
    )
    await expectSound(lending, id)
  })

  test('does not stop what is critical, and is refused during a call', async () => {
    const { id } = await addBorrowed(lending)
    const until = addMs(lending.now(), 10 * DAY_MS)
    await correct(lending, id, { kind: 'forbearance', until })
    lending.fills = ['pending']
    await holdPrice(lending, '57000')
    await settle(lending)
    expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
    await expect(correct(lending, id, { kind: 'forbearance', until })).rejects.toEqual(
      refused('validation_failed'),
    )
  })
})

test('a warning that a credit clears is cured by correction', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  await correct(lending, id, { kind: 'credit', cents: 20_000_00n })
  await settle(lending)
  expect(await marginEvents(lending, id)).toEqual(['warning.raised 1', 'warning.cured 1'])
  expect(await readWarning(lending, id)).toMatchObject({ curedBy: 'correction' })
  await expectSound(lending, id)
})

test('the lender closes a facility by the rules of its tenant', async () => {
  const { id } = await addDrawnFacility(lending, usd(1_000_00n))
  await expect(correct(lending, id, { kind: 'close' })).rejects.toEqual(
    refused('outstanding_balance'),
  )
  await repay(lending, id, usd(1_000_00n))
  await settle(lending)
  await correct(lending, id, { kind: 'close' })
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
  await expectSound(lending, id)
})
