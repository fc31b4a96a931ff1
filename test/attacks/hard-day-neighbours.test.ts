import { expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { checkLedger } from '../../src/domain/facilities/ledger/check-ledger.ts'
import { holdFacility, releaseFacility } from '../../src/domain/margin/hold-facility.ts'
import { applySuspense } from '../../src/domain/repayments/suspense.ts'
import { correct } from '../support/lending/corrections.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  applyFor,
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
} from '../support/lending/lending.ts'
import {
  addBorrowed,
  addCritical,
  expectSound,
  holdPrice,
  ordersOf,
  readWarning,
  tick,
} from '../support/lending/margin.ts'
import { giveBack } from '../support/lending/returns.ts'

// What one hard day does to another thing that is under way.

const lending = houseForEachTest()

const refused = (code: string) => expect.objectContaining({ code })

async function repaid(id: string, cents: bigint): Promise<string> {
  const { id: repaymentId } = await repay(lending, id, usd(cents))
  await settle(lending)
  return repaymentId
}

test('a return lets no draw of a newer facility out that is not sent', async () => {
  const { id: old, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  const receipt = await repaid(old, 10_000_00n)
  await requestClosing(lending, old)
  await settle(lending)
  await pushPortfolio(lending, borrowerId)
  const { id } = await applyFor(lending, borrowerId)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
  lending.custodian.isDown = true
  const { id: drawId } = await draw(lending, id, usd(5_000_00n))
  await settle(lending)
  await giveBack(lending, receipt)
  expect(await read(lending, old)).toMatchObject({ closeReason: 'charged_off' })
  lending.custodian.isDown = false
  await pass(lending, 5 * MINUTE_MS, MINUTE_MS)
  expect(await dataOf(lending, 'draw.failed', drawId)).toMatchObject({ code: 'margin' })
  await expect(draw(lending, id, usd(1_00n))).rejects.toEqual(refused('draws_blocked'))
})

test('a return fails a draw that is not sent where the limit is gone with it', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(10_000_00n))
  const receipt = await repaid(id, 10_000_00n)
  await pushPortfolio(lending, borrowerId)
  lending.custodian.isDown = true
  // Of a limit of 40,000.00, of which 10,000.00 are owed again.
  const { id: drawId } = await draw(lending, id, usd(30_000_01n))
  await settle(lending)
  await giveBack(lending, receipt)
  lending.custodian.isDown = false
  await pass(lending, 5 * MINUTE_MS, MINUTE_MS)
  expect(await dataOf(lending, 'draw.failed', drawId)).toMatchObject({ code: 'margin' })
  expect(await read(lending, id)).toMatchObject({
    reservedCents: 0n,
    debt: { principalCents: 10_000_00n },
  })
})

test('what a returned draw clears is cured by correction', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  const { draw_id: drawId } = await lending.db
    .selectFrom('draws')
    .select('draw_id')
    .where('facility_id', '=', id)
    .executeTakeFirstOrThrow()
  await giveBack(lending, drawId, { amount: usd(20_000_00n) })
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'correction' })
  await expectSound(lending, id)
})

test('a warning that an undo raises has two hours, though it is critical at once', async () => {
  const { id } = await addBorrowed(lending)
  const credit = { kind: 'credit', cents: 20_000_00n } as const
  const { correctionId } = await correct(lending, id, credit)
  await holdPrice(lending, '55000')
  await correct(lending, id, { kind: 'undo', correctionId })
  await settle(lending)
  const { status, tier, cureDeadline, raisedAt } = await readWarning(lending, id)
  expect({ status, tier }).toEqual({ status: 'OPEN', tier: 3 })
  expect(cureDeadline.getTime() - raisedAt.getTime()).toBe(2 * HOUR_MS)
  await tick(lending, 2 * HOUR_MS - MINUTE_MS)
  expect(ordersOf(lending, id)).toEqual([])
  await expectSound(lending, id)
})

test('what is in suspense of a loan that was repaid and closed goes back once it is applied', async () => {
  const { id } = await addDrawnFacility(lending, usd(10_000_00n))
  const announced = await announce(lending, id, usd(10_000_00n))
  lending.received.set('wire', usd(16_000_00n))
  await report(lending, announced, 'wire')
  await settle(lending)
  await requestClosing(lending, id)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSED', closeReason: 'repaid' })
  await inTransaction(lending.db, (tx) => applySuspense(lending.within(tx), announced.id))
  await settle(lending)
  const refunds = await lending.db
    .selectFrom('refunds')
    .select(['status', 'cents'])
    .where('facility_id', '=', id)
    .execute()
  expect(refunds).toEqual([{ status: 'PAID', cents: 6_000_00n }])
  expect(await read(lending, id)).toMatchObject({ closeReason: 'repaid', refundDueCents: 0n })
  expect(await checkLedger(lending.db)).toEqual([])
})

test('nothing is written off while a repayment is announced, a draw is pending or money is in suspense', async () => {
  const writeOff = (id: string) => correct(lending, id, { kind: 'write_off' })
  const { id: announcing } = await addDrawnFacility(lending, usd(1_000_00n))
  await announce(lending, announcing, usd(10_00n))
  const { id: suspending } = await addDrawnFacility(lending, usd(1_000_00n))
  const announced = await announce(lending, suspending, usd(10_00n))
  lending.received.set('wire', usd(500_00n))
  await report(lending, announced, 'wire')
  await settle(lending)
  const { id: drawing } = await addDrawnFacility(lending, usd(1_000_00n))
  lending.custodian.isDown = true
  await draw(lending, drawing, usd(100_00n))
  const because = (text: string) =>
    expect.objectContaining({
      ...{ code: 'outstanding_balance', message: expect.stringContaining(text) },
    })
  await expect(writeOff(announcing)).rejects.toEqual(because('under way'))
  await expect(writeOff(drawing)).rejects.toEqual(because('under way'))
  await expect(writeOff(suspending)).rejects.toEqual(because('in suspense'))
})

test('nothing is written off during a margin call', async () => {
  const { id } = await addCritical(lending)
  lending.fills = ['pending']
  await tick(lending)
  await expect(correct(lending, id, { kind: 'write_off' })).rejects.toEqual(
    refused('outstanding_balance'),
  )
  expect(await read(lending, id)).toMatchObject({ state: 'APPROVED' })
})

test('a write-off is booked under a hold, and the lien is released after it', async () => {
  const { id, borrowerId } = await addDrawnFacility(lending, usd(1_000_00n))
  lending.held.set(borrowerId, [])
  lending.advance(MINUTE_MS)
  await pushPortfolio(lending, borrowerId, [])
  await settle(lending)
  const { holdId } = await inTransaction(lending.db, (tx) =>
    holdFacility(lending.within(tx), id, { kind: 'death', reason: 'certificate' }),
  )
  await correct(lending, id, { kind: 'write_off' })
  await pass(lending, HOUR_MS)
  expect(await read(lending, id)).toMatchObject({ state: 'CLOSING', releaseSentAt: undefined })
  await inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), id, holdId))
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({
    ...{ state: 'CLOSED', closeReason: 'charged_off', chargedOff: { principalCents: 1_000_00n } },
  })
})
