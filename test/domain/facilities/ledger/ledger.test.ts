import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../../../src/core/time.ts'
import { inTransaction } from '../../../../src/db/database.ts'
import { accrue } from '../../../../src/domain/facilities/ledger/debt.ts'
import { transfer } from '../../../../src/domain/facilities/ledger/journal.ts'
import { recordMovement } from '../../../../src/domain/facilities/ledger/ledger.ts'
import { lockFacility } from '../../../../src/domain/facilities/locked-facility.ts'
import {
  addDrawnFacility,
  type Lending,
  openLending,
  usd,
} from '../../../support/lending/lending.ts'

let lending: Lending
let facilityId: string
beforeEach(async () => {
  lending ??= await openLending()
  facilityId = (await addDrawnFacility(lending, usd(1_000_00n))).id
  lending.advance(HOUR_MS)
})
afterAll(() => lending[Symbol.asyncDispose]())

/** Takes `cents` off the principal, with these parts of principal, or without parts. */
async function repayAs(cents: bigint, parts: readonly bigint[] | undefined): Promise<void> {
  const { now } = lending.instant()
  await inTransaction(lending.db, async (tx) => {
    const locked = await lockFacility(lending.within(tx), facilityId)
    const { facility } = locked
    const debt = accrue(facility.debt, now)
    const principal = parts?.map((deltaCents) => {
      return { sourceId: 'test', effectiveAt: now, deltaCents }
    })
    const movement = {
      cause: 'repayment/test',
      kind: 'repayment',
      debt: { ...debt, principalCents: debt.principalCents - cents },
      ...(principal && { principal }),
      reservedCents: facility.reservedCents,
      refundDueCents: facility.refundDueCents,
      postings: transfer('loans_receivable', 'bank', 'USD', cents),
    }
    await recordMovement(locked, movement)
  })
}

/** All that is stored of the facility's money. */
async function readMoney() {
  const rowsOf = (table: 'facilities' | 'journal' | 'principal_movements') =>
    lending.db.selectFrom(table).selectAll().where('facility_id', '=', facilityId).execute()
  return {
    facility: await rowsOf('facilities'),
    journal: await rowsOf('journal'),
    movements: await rowsOf('principal_movements'),
  }
}

describe('a movement is refused whole', () => {
  test.each([
    ['names no parts of its principal', 100n, undefined],
    ['names too little of it', 100n, [-60n, -39n]],
    ['names too much of it', 100n, [-60n, -41n]],
    ['names it with the wrong sign', 100n, [100n]],
    ['names a change where there is none', 0n, [-1n]],
  ])('a movement that %s is refused whole', async (_, cents, parts) => {
    const before = await readMoney()
    await expect(repayAs(cents, parts)).rejects.toThrow(/how its principal changes/)
    expect(await readMoney()).toEqual(before)
  })
})

test('a movement stores each part of its principal, and none of nothing', async () => {
  await repayAs(100n, [-60n, 0n, -40n])
  const { facility, movements } = await readMoney()
  expect(facility).toMatchObject([{ principal_cents: 1_000_00n - 100n }])
  expect(movements).toHaveLength(3)
  expect(movements).toMatchObject([
    { delta_cents: 1_000_00n },
    { source_id: 'test', part: 1, delta_cents: -60n },
    { source_id: 'test', part: 2, delta_cents: -40n },
  ])
})

test('only a repayment corrects interest that is paid: any other movement that lowers it is refused whole', async () => {
  const before = await readMoney()
  const takingBack = inTransaction(lending.db, async (tx) => {
    const locked = await lockFacility(lending.within(tx), facilityId)
    const { debt, reservedCents, refundDueCents } = locked.facility
    const unchanged = { reservedCents, refundDueCents, postings: [] }
    const lowered = { ...debt, interestPaidCents: debt.interestPaidCents - 1n }
    await recordMovement(locked, { cause: 'sale/test', kind: 'sale', debt: lowered, ...unchanged })
  })
  await expect(takingBack).rejects.toThrow(/would take interest back/)
  expect(await readMoney()).toEqual(before)
})
