import { beforeAll, expect, test } from 'vitest'
import { compareFacilities } from '../../../../src/domain/margin/amendments/amend.ts'
import {
  AMEND_FACILITIES,
  toStoredAmendment,
  WITHDRAW_AMENDMENT,
} from '../../../../src/domain/operators/acts/amendment-acts.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import { addFacility, read } from '../../../support/lending/lending.ts'
import { type Actor, openDesk } from '../../operators/desk.ts'

const house = houseForFile()
const desk = openDesk({
  get db() {
    return house.db
  },
  now: () => house.now(),
})
let ada: Actor
let grace: Actor
beforeAll(async () => {
  ada = await desk.addOperator('ada', 'risk')
  grace = await desk.addOperator('grace', 'risk')
})

async function propose(ratePpm: bigint, ids: readonly string[]): Promise<string> {
  const { db, tenantId } = house
  const amendment = { version: undefined, ratePpm, from: undefined }
  const facilities = ids.map((facilityId) => ({ tenantId, facilityId }))
  const { compared } = await compareFacilities(db, amendment, { facilities }, house.now())
  return await desk.propose(ada, AMEND_FACILITIES, toStoredAmendment(amendment, compared))
}

const addLoan = async () => (await addFacility(house, { limitCents: 10_000_00n })).id
const rateOf = async (id: string) => (await read(house, id)).debt.ratePpm

test('a proposal changes nothing; confirmed, it leaves out by name whose comparison has changed', async () => {
  const [first, second] = [await addLoan(), await addLoan()]
  const id = await propose(80_000n, [first, second])
  expect([await rateOf(first), await rateOf(second)]).toEqual([100_000n, 100_000n])
  // Then 8 % is more than it has.
  await desk.confirm(grace, await propose(70_000n, [second]))
  await desk.confirm(grace, id)
  expect([await rateOf(first), await rateOf(second)]).toEqual([80_000n, 70_000n])
  const [recorded] = await desk.actionsOn('rate 0.08')
  expect(recorded).toMatchObject({
    ...{ action: 'facilities.amend', reason: 'board', tenantId: house.tenantId },
    after: { rate: '0.08', without_notice: [first, second], left_out: [second] },
  })
})

test('a proposal about one facility is void once its terms have changed', async () => {
  const facilityId = await addLoan()
  const id = await propose(80_000n, [facilityId])
  await desk.confirm(grace, await propose(60_000n, [facilityId]))
  await expect(desk.confirm(grace, id)).rejects.toThrow()
  expect(await rateOf(facilityId)).toBe(60_000n)
})

test('the operator who proposed an amendment does not confirm it', async () => {
  const facilityId = await addLoan()
  const id = await propose(80_000n, [facilityId])
  await expect(desk.confirm(ada, id)).rejects.toMatchObject({ code: 'scope_missing' })
  expect(await rateOf(facilityId)).toBe(100_000n)
})

test('an amendment that waits is withdrawn by two', async () => {
  const facilityId = await addLoan()
  await desk.confirm(grace, await propose(120_000n, [facilityId]))
  expect(await read(house, facilityId)).toMatchObject({ nextTerms: { ratePpm: 120_000n } })
  const request = { tenantId: house.tenantId, facilityId }
  const id = await desk.propose(ada, WITHDRAW_AMENDMENT, request)
  expect((await read(house, facilityId)).nextTerms).toBeDefined()
  await desk.confirm(grace, id)
  expect((await read(house, facilityId)).nextTerms).toBeUndefined()
})
