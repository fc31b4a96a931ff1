import { expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../src/core/time.ts'
import { inTransaction } from '../../src/db/database.ts'
import { totalDebtCents } from '../../src/domain/facilities/ledger/debt.ts'
import { amendFacilities, compareFacilities } from '../../src/domain/margin/amendments/amend.ts'
import { holdFacility, releaseFacility } from '../../src/domain/margin/hold-facility.ts'
import { checkPayment } from '../../src/domain/repayments/returns/check-payment.ts'
import { correct } from '../support/lending/corrections.ts'
import { expectExact } from '../support/lending/exact-books.ts'
import { houseForEachTest } from '../support/lending/houses.ts'
import {
  addFacility,
  draw,
  type Lending,
  read,
  repay,
  settle,
  usd,
} from '../support/lending/lending.ts'
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
} from '../support/lending/margin.ts'
import { bringBack } from '../support/lending/returns.ts'

// Holds; pauses; repayments, pushes, returns and corrections as they are committed; amendments; the round
// of prices; deadlines; sales. Amendments before the round: see margin/amendments.

const lending = houseForEachTest()

async function hold(house: Lending, id: string): Promise<string> {
  const { holdId } = await inTransaction(house.db, (tx) =>
    holdFacility(house.within(tx), id, { kind: 'dispute', reason: 'letter' }),
  )
  return holdId
}

/** A warning of tier 1, whose deadline has just come. */
async function addDue(house: Lending): Promise<string> {
  const { id } = await addBorrowed(house)
  await holdPrice(house, '68000')
  const { cureDeadline } = await readWarning(house, id)
  house.advance(cureDeadline.getTime() - house.now().getTime())
  return id
}

test('a hold of the instant at which a forbearance ends leaves no gap, and counts no time twice', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  const { cureDeadline } = await readWarning(lending, id)
  const until = addMs(lending.now(), 10 * HOUR_MS)
  await correct(lending, id, { kind: 'forbearance', until })
  await tick(lending, 10 * HOUR_MS)
  expect(lending.now()).toEqual(until)
  const holdId = await hold(lending, id)
  await tick(lending, 5 * HOUR_MS)
  await inTransaction(lending.db, (tx) => releaseFacility(lending.within(tx), id, holdId))
  await settle(lending)
  const after = await readWarning(lending, id)
  expect(after.cureDeadline).toEqual(addMs(cureDeadline, 15 * HOUR_MS))
})

test('a forbearance of the instant of a deadline moves it before it is settled', async () => {
  const id = await addDue(lending)
  await correct(lending, id, { kind: 'forbearance', until: addMs(lending.now(), HOUR_MS) })
  await tick(lending)
  await tick(lending, MINUTE_MS)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
  // Two hours are left at its end.
  await tick(lending, 3 * HOUR_MS - 2 * MINUTE_MS)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'OPEN' })
  await tick(lending, 2 * MINUTE_MS)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'ESCALATED' })
})

test('a repayment of the instant of a deadline is in time', async () => {
  const id = await addDue(lending)
  await repay(lending, id, usd(20_000_00n))
  await settle(lending)
  await tick(lending)
  await tick(lending, MINUTE_MS)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'repayment' })
})

test('what is paid at the instant at which a higher rate binds owes nothing of it', async () => {
  const { id } = await addBorrowed(lending)
  const { db, tenantId } = lending
  const amendment = { version: undefined, ratePpm: 200_000n, from: undefined }
  const facilities = [{ tenantId, facilityId: id }]
  const { compared } = await compareFacilities(db, amendment, { facilities }, lending.now())
  const { noticed } = await inTransaction(db, (tx) =>
    amendFacilities(
      { tx, now: lending.now(), tenantOf: async () => lending.within(tx), askedBy: 'ada' },
      amendment,
      compared,
    ),
  )
  lending.advance((noticed[0]?.at.getTime() ?? 0) - lending.now().getTime())
  const owed = totalDebtCents((await read(lending, id)).debt, lending.now())
  await repay(lending, id, usd(owed))
  await settle(lending)
  await tick(lending, 24 * HOUR_MS)
  const { debt } = await read(lending, id)
  expect(debt).toMatchObject({ ratePpm: 200_000n, principalCents: 0n })
  expect(totalDebtCents(debt, lending.now())).toBe(0n)
})

test('the round of the instant of a deadline decides before the deadline', async () => {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '68000')
  const { cureDeadline } = await readWarning(lending, id)
  lending.advance(cureDeadline.getTime() - lending.now().getTime() - MINUTE_MS + 1)
  lending.market.set('BTC', '90000')
  // The new price has held for the window a millisecond after the deadline.
  lending.advance(MINUTE_MS)
  await settle(lending)
  expect(await readWarning(lending, id)).toMatchObject({ status: 'CURED', curedBy: 'price' })
})

test('a sale of the instant of an escalation comes after it, and after a hold of that instant not at all', async () => {
  const { id } = await addCritical(lending)
  await tick(lending)
  expect((await marginEvents(lending, id)).slice(0, 3)).toEqual([
    'warning.raised 1',
    'warning.escalated 1',
    'call.started 1',
  ])
  expect(ordersOf(lending, id).length).toBeGreaterThan(0)
  const { id: held } = await addCritical(lending)
  await hold(lending, held)
  await tick(lending)
  expect(await readWarning(lending, held)).toMatchObject({ status: 'OPEN', tier: 3 })
  expect(await readCalls(lending, held)).toEqual([])
  await expectSound(lending, id)
})

test('what came back of a draw at the instant of another pays that one, and is not owed back beside it', async () => {
  const { id } = await addFacility(lending, { limitCents: 45_000_00n })
  const { id: first } = await draw(lending, id, usd(10_000_00n))
  await settle(lending)
  await repay(lending, id, usd(4_000_00n))
  await settle(lending)
  lending.advance(1)
  await draw(lending, id, usd(3_000_00n))
  await bringBack(lending, first)
  await checkPayment(lending.context, lending.tenantId, first)
  expect((await read(lending, id)).refundDueCents).toBe(3_999_99n)
  await settle(lending)
  const { debt, refundDueCents, reservedCents } = await read(lending, id)
  // A cent is the interest of a millisecond.
  expect(debt.principalCents).toBe(0n)
  expect({ refundDueCents, reservedCents }).toEqual({
    refundDueCents: 999_99n,
    reservedCents: 0n,
  })
  await expectExact(lending, id)
  await expectSound(lending, id)
})
