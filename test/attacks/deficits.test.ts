import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/time.ts'
import { deficitOf } from '../../src/domain/facilities/closing/recover.ts'
import { type Facility, getFacility } from '../../src/domain/facilities/facilities.ts'
import { previewFacility } from '../../src/domain/margin/foresight/read-foresight.ts'
import { houseForFile } from '../support/lending/houses.ts'
import {
  addFacility,
  applyFor,
  dataOf,
  draw,
  eventsOf,
  pass,
  pushPortfolio,
  read,
  repay,
  settle,
  usd,
} from '../support/lending/lending.ts'
import { addBorrowed, expectSound, holdPrice } from '../support/lending/margin.ts'

const lending = houseForFile()
beforeEach(() => {
  lending.market.set('BTC', '100000')
})

async function addChargedOff(): Promise<Facility & { owedCents: bigint }> {
  const { id } = await addBorrowed(lending)
  await holdPrice(lending, '1')
  lending.market.set('BTC', '100000')
  await pass(lending, MINUTE_MS)
  const facility = await read(lending, id)
  const { principalCents, interestCents } = deficitOf(facility)
  expect(facility.state).toBe('CLOSED')
  expect(principalCents).toBeGreaterThan(47_000_00n)
  return { ...facility, owedCents: principalCents + interestCents }
}

async function apply(borrowerId: string): Promise<Facility> {
  await pushPortfolio(lending, borrowerId)
  const { id } = await applyFor(lending, borrowerId)
  await settle(lending)
  return await read(lending, id)
}

/** Takes a cent of what was recovered back, as a returned transfer would. */
async function oweAgain({ id }: Facility, recoveredCents: bigint): Promise<void> {
  await lending.db
    .updateTable('facilities')
    .set({ recovered_cents: recoveredCents })
    .where('facility_id', '=', id)
    .execute()
}

test('who owes a deficit is lent nothing, however small the rest, until the last cent is recovered', async () => {
  const { id, borrowerId, owedCents } = await addChargedOff()
  const first = await apply(borrowerId)
  expect(first).toMatchObject({ state: 'DECLINED', declineReasons: ['deficit_owed'] })
  expect(await dataOf(lending, 'facility.decisioned', first.id)).toMatchObject({
    decision: 'declined',
    reasons: ['deficit_owed'],
  })
  await repay(lending, id, usd(owedCents - 1n))
  await settle(lending)
  expect(await apply(borrowerId)).toMatchObject({ declineReasons: ['deficit_owed'] })
  await repay(lending, id, usd(1n))
  await settle(lending)
  const last = await apply(borrowerId)
  expect(last).toMatchObject({ state: 'APPROVED' })
  await draw(lending, last.id, usd(1_000_00n))
  await settle(lending)
  await expectSound(lending, last.id)
})

test('an application is declined for its deficit without waiting for a portfolio', async () => {
  const { borrowerId } = await addChargedOff()
  lending.advance(24 * 60 * MINUTE_MS)
  const { id } = await applyFor(lending, borrowerId)
  await settle(lending)
  expect(await read(lending, id)).toMatchObject({ declineReasons: ['deficit_owed'] })
})

test('a deficit of an older facility blocks each draw on the newer one, and the preview shows it', async () => {
  const older = await addChargedOff()
  await repay(lending, older.id, usd(older.owedCents))
  await settle(lending)
  const { id } = await apply(older.borrowerId)
  const { id: unsent } = await draw(lending, id, usd(1_000_00n))
  await oweAgain(older, older.owedCents - 1n)
  const blocked = {
    code: 'draws_blocked',
    message: expect.stringContaining('deficit of 0.01 USD'),
  }
  await expect(draw(lending, id, usd(1n))).rejects.toMatchObject(blocked)
  // Above the limit as well: a smaller draw would not help.
  await expect(draw(lending, id, usd(90_000_00n))).rejects.toMatchObject(blocked)
  await settle(lending)
  expect(await eventsOf(lending, unsent)).toEqual(['draw.failed margin'])

  const acts = {
    ...{ deposit: [], withdrawal: [], repayment: undefined, prices: new Map(), days: 0 },
    draw: usd(1n),
  }
  const preview = async () => {
    const { context, tenantId } = lending
    const reading = { ...context, tenantId, now: lending.now() }
    return (await previewFacility(reading, id, acts)).refusals.map(({ code }) => code)
  }
  expect(await preview()).toEqual(['draws_blocked'])

  await oweAgain(older, older.owedCents)
  expect(await preview()).toEqual([])
  await draw(lending, id, usd(1n))
  await settle(lending)
  await expectSound(lending, id)
})

test("a deficit is its borrower's alone", async () => {
  await addChargedOff()
  const { id } = await addFacility(lending)
  await draw(lending, id, usd(1_000_00n))
  await settle(lending)
  expect(await getFacility(lending.db, lending.tenantId, id)).toMatchObject({
    state: 'APPROVED',
    debt: { principalCents: 1_000_00n },
  })
})
