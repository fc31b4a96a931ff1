import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { escalateWarnings } from '../../../../src/domain/margin/calls/escalate-many.ts'
import { sellCollateral } from '../../../../src/domain/margin/calls/sell-collateral.ts'
import { sellCollaterals } from '../../../../src/domain/margin/calls/sell-many.ts'
import { shares } from '../../../support/lending/crashes.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { pass, read, settle } from '../../../support/lending/lending.ts'
import {
  addCriticals,
  btc,
  expectSound,
  holdLock,
  marginEvents,
  ONE_BTC,
  ordersOf,
  readCalls,
} from '../../../support/lending/margin.ts'
import { LONG_SCENARIO_MS } from '../../../support/process/patience.ts'

const lending = houseForEachTest({ maxConnections: 8 })
let facilities: Facility[]
/** Why batches ran one by one. */
let fallbacks: unknown[]
beforeEach(async () => {
  fallbacks = []
  facilities = await addCalls(3)
})

const DONE = { done: true }
const fail = (error: unknown) => {
  throw error
}
const SOLD = ['warning.raised 1', 'warning.escalated 1', 'call.started 1', 'call.completed 1']

/** Facilities with margin calls, none of which has begun. */
async function addCalls(count: number): Promise<Facility[]> {
  const added = await addCriticals(lending, count)
  const ids = added.map(({ id }) => id)
  await escalateWarnings(lending.context, lending.tenantId, ids, fail)
  lending.custodian.calls.length = 0
  return added
}

const ids = () => facilities.map(({ id }) => id)
const sell = () =>
  sellCollaterals(lending.context, lending.tenantId, ids(), (error) => fallbacks.push(error))
const eventsOfEach = () => Promise.all(ids().map((id) => marginEvents(lending, id)))
const askedAlone = () => lending.custodian.calls.filter((call) => call.includes('/sale/'))

async function expectAllSold(): Promise<void> {
  for (const id of ids()) {
    expect(await readCalls(lending, id)).toMatchObject([{ number: 1, status: 'COMPLETED' }])
    await expectSound(lending, id)
  }
}

test('many calls are sold together to the cent as each is alone', async () => {
  const [alone, ...others] = facilities
  await sellCollateral(lending.context, lending.tenantId, alone?.id ?? '')
  expect(await sell()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([SOLD, SOLD, SOLD])
  const [expected] = await readCalls(lending, alone?.id ?? '')
  const debt = (await read(lending, alone?.id ?? '')).debt
  for (const { id } of others) {
    expect(ordersOf(lending, id)).toEqual([`${id}/call/1/1`])
    expect(await readCalls(lending, id)).toEqual([{ ...expected, facilityId: id }])
    expect((await read(lending, id)).debt).toEqual(debt)
  }
  expect(askedAlone()).toHaveLength(2)
  await expectAllSold()
})

test('an order that fills partly is followed by another, and the other calls end', async () => {
  lending.fills.push({ units: ONE_BTC / 100n })
  expect(await sell()).toEqual([DONE, DONE, DONE])
  const counts = ids().map((id) => ordersOf(lending, id).length)
  expect(counts.toSorted((a, b) => a - b)).toEqual([1, 1, 2])
  expect(askedAlone()).toEqual([])
  await expectAllSold()
})

test('an order with a lost answer fails alone, and is sold once', async () => {
  lending.fills.push('unanswered')
  const results = await sell()
  expect(results.filter((result) => 'error' in result)).toHaveLength(1)
  expect(results.filter((result) => 'done' in result && result.done)).toHaveLength(2)
  expect(await sell()).toEqual([DONE, DONE, DONE])
  for (const id of ids()) expect(ordersOf(lending, id)).toHaveLength(1)
  await expectAllSold()
})

test('an order that the custodian has accepted is polled later, and the others are booked', async () => {
  lending.fills.push('pending')
  const results = await sell()
  expect(results.filter((result) => 'done' in result && !result.done)).toHaveLength(1)
  const acknowledged = await lending.db
    .selectFrom('margin_sales')
    .select('facility_id')
    .where('status', '=', 'ORDERED')
    .where('acknowledged_at', 'is not', null)
    .execute()
  expect(acknowledged).toHaveLength(1)
  lending.advance(10 * SECOND_MS)
  expect(await sell()).toEqual([DONE, DONE, DONE])
  await expectAllSold()
})

test('an order that is refused is tried again after a pause, and the others end', async () => {
  lending.fills.push('refused')
  const results = await sell()
  const waiting = results.filter((result) => 'done' in result && !result.done)
  expect(waiting).toHaveLength(1)
  await settle(lending)
  await pass(lending, MINUTE_MS)
  await expectAllSold()
})

test('an account that the call leaves unanswered is polled and sold alone', async () => {
  const [silent] = facilities
  const { custodian } = lending.context
  const { readings } = custodian
  custodian.readings = async (call) => {
    const answers = new Map(await readings.call(custodian, call))
    answers.delete(silent?.id ?? '')
    return answers
  }
  expect(await sell()).toEqual([DONE, DONE, DONE])
  expect(askedAlone().every((call) => call.startsWith(`${silent?.id}/`))).toBe(true)
  expect(askedAlone()).toHaveLength(2)
  await expectAllSold()
})

test('many calls are sold by what the custodian holds, not by what was pushed', async () => {
  const [more] = facilities
  lending.held.set(more?.borrowerId ?? '', btc(2n * ONE_BTC))
  expect(await sell()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toMatchObject([
    ['warning.raised 1', 'warning.escalated 1', 'call.completed 1'],
    SOLD,
    SOLD,
  ])
  expect(ordersOf(lending, more?.id ?? '')).toEqual([])
})

test('a facility with a held lock is sold alone, after the others', async () => {
  const [held] = facilities
  const release = await holdLock(lending, held?.id ?? '')
  const results = await sell()
  await release()
  expect(results).toEqual([{ error: expect.any(Error) }, DONE, DONE])
  expect(await sell()).toEqual([DONE, DONE, DONE])
  await expectAllSold()
})

test('a facility that is locked when its fill is booked delays no other, and is sold once', async () => {
  const [held] = facilities
  const { custodian } = lending.context
  const { sell: sellAlone } = custodian
  let release: Promise<() => Promise<void>> | undefined
  custodian.sell = async (call) => {
    const answer = await sellAlone.call(custodian, call)
    // A request takes the lock between the order and its booking.
    release ??= holdLock(lending, held?.id ?? '')
    await release
    return answer
  }
  const results = await sell()
  await (await release)?.()
  expect(results).toEqual([{ error: expect.any(Error) }, DONE, DONE])
  expect(fallbacks).toEqual([])
  expect(await sell()).toEqual([DONE, DONE, DONE])
  for (const id of ids()) expect(ordersOf(lending, id)).toHaveLength(1)
  await expectAllSold()
})

test('two workers that sell the same calls sell each once', async () => {
  await Promise.all([sell(), sell()])
  await settle(lending)
  await pass(lending, MINUTE_MS)
  for (const id of ids()) expect(ordersOf(lending, id)).toHaveLength(1)
  await expectAllSold()
})

test.each(shares(4))(
  'a worker that dies at any step of a batch neither loses nor repeats a sale, from step $from',
  { timeout: LONG_SCENARIO_MS },
  async ({ from, by }) => {
    for (let lastStep = from, hasDied = true; hasDied; lastStep += by) {
      facilities = await addCalls(2)
      lending.fills.push({ units: ONE_BTC / 100n })
      let steps = 0
      lending.onStep = () => {
        steps += 1
        if (steps >= lastStep) throw new Error(`dead from step ${lastStep} on`)
      }
      await sell()
      lending.onStep = () => undefined
      hasDied = steps >= lastStep
      lending.fills.length = 0
      await pass(lending, MINUTE_MS, 30 * SECOND_MS)
      await pass(lending, MINUTE_MS, 30 * SECOND_MS)
      for (const id of ids()) {
        expect(await marginEvents(lending, id), `dead from step ${lastStep} on`).toEqual(SOLD)
        const filled = await lending.db
          .selectFrom('margin_sales')
          .select('number')
          .where('facility_id', '=', id)
          .where('status', '=', 'FILLED')
          .execute()
        expect(ordersOf(lending, id)).toHaveLength(filled.length)
      }
    }
    // The audit sees those of every step.
    await expectAllSold()
  },
)
