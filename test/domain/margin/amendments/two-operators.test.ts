import { beforeAll, expect, test } from 'vitest'
import { createCursorCodec } from '../../../../src/core/cursor.ts'
import { addMs, DAY_MS } from '../../../../src/core/time.ts'
import { compareFacilities } from '../../../../src/domain/margin/amendments/amend.ts'
import { pagePending } from '../../../../src/domain/margin/amendments/pending.ts'
import {
  AMEND_FACILITIES,
  toStoredAmendment,
  WITHDRAW_AMENDMENT,
} from '../../../../src/domain/operators/acts/amendment-acts.ts'
import { houseForFile } from '../../../support/lending/houses.ts'
import { addFacility, read, requestClosing, settle } from '../../../support/lending/lending.ts'
import { readEvents } from '../../../support/lending/onboarding.ts'
import { testKey } from '../../../support/stores/sealer.ts'
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

const list = { cursors: createCursorCodec([testKey('test')]) }

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

test('the amendments that wait are listed next first, with who asked and the event that gave notice', async () => {
  const { db, tenantId } = house
  const [first, second] = [await addLoan(), await addLoan()]
  await desk.confirm(grace, await propose(120_000n, [first]))
  const at = addMs(house.now(), 30 * DAY_MS)
  house.advance(DAY_MS)
  await desk.confirm(grace, await propose(130_000n, [second]))
  // A change without notice is announced by the same event, of another instant.
  await desk.confirm(grace, await propose(90_000n, [first]))
  const events = await readEvents(db, tenantId)
  const noticeOf = (id: string) =>
    events.find(({ type, data }) => type === 'facility.terms_changed' && data.facility_id === id)
  const page = await pagePending(db, { ...list, request: { limit: 1 } })
  expect(page).toMatchObject({
    hasMore: true,
    items: [
      {
        ...{ tenantId, facilityId: first, version: 0, boundVersion: 0, ratePpm: 120_000n },
        ...{ effectiveAt: at, askedBy: ada.email, eventId: noticeOf(first)?.id },
      },
    ],
  })
  const rest = await pagePending(db, { ...list, request: { limit: 9, from: page.nextCursor } })
  expect(rest.items).toMatchObject([
    { facilityId: second, effectiveAt: addMs(at, DAY_MS), eventId: noticeOf(second)?.id },
  ])
  const request = { tenantId, facilityId: second }
  await desk.confirm(grace, await desk.propose(ada, WITHDRAW_AMENDMENT, request))
  const { items } = await pagePending(db, { ...list, request: { limit: 9 } })
  expect(items.map(({ facilityId }) => facilityId)).toEqual([first])
})

test('an amendment of a facility that was closed waits no longer', async () => {
  const id = await addLoan()
  await desk.confirm(grace, await propose(120_000n, [id]))
  const listed = async () => {
    const page = await pagePending(house.db, { ...list, request: { limit: 99 } })
    return page.items.map(({ facilityId }) => facilityId)
  }
  expect(await listed()).toContain(id)
  await requestClosing(house, id)
  await settle(house)
  expect(await read(house, id)).toMatchObject({ state: 'CLOSED' })
  expect(await listed()).not.toContain(id)
})
