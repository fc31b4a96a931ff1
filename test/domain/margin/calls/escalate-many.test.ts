import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { MINUTE_MS, SECOND_MS } from '../../../../src/core/time.ts'
import type { Facility } from '../../../../src/domain/facilities/facilities.ts'
import { escalateWarning } from '../../../../src/domain/margin/calls/escalate.ts'
import { escalateWarnings } from '../../../../src/domain/margin/calls/escalate-many.ts'
import { houseForEachTest } from '../../../support/lending/houses.ts'
import { settle } from '../../../support/lending/lending.ts'
import {
  addCriticals,
  btc,
  expectSound,
  holdLock,
  marginEvents,
  ONE_BTC,
  readCalls,
  readWarning,
} from '../../../support/lending/margin.ts'

const lending = houseForEachTest({ maxConnections: 8 })
let facilities: Facility[]
/** Why batches ran one by one. */
let fallbacks: unknown[]
beforeEach(async () => {
  fallbacks = []
  facilities = await addCriticals(lending, 3)
})

const DONE = { done: true }
const fail = (error: unknown) => {
  throw error
}
const ESCALATED = ['warning.raised 1', 'warning.escalated 1']

const ids = () => facilities.map(({ id }) => id)
const escalate = () =>
  escalateWarnings(lending.context, lending.tenantId, ids(), (error) => fallbacks.push(error))
const eventsOfEach = () => Promise.all(ids().map((id) => marginEvents(lending, id)))
/** Calls about one account alone. */
const askedAlone = () => lending.custodian.calls.filter((call) => call.includes('/escalation/'))

async function expectAllSound(): Promise<void> {
  for (const id of ids()) await expectSound(lending, id)
}

test('one call to the custodian confirms many escalations, each of which then sells', async () => {
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([ESCALATED, ESCALATED, ESCALATED])
  expect(askedAlone()).toEqual([])
  await settle(lending)
  for (const id of ids()) {
    expect(await readCalls(lending, id)).toMatchObject([{ number: 1, status: 'COMPLETED' }])
  }
  await expectAllSound()
})

test('what the custodian has held enough of ends as a correction while the others escalate', async () => {
  const [, enough] = facilities
  lending.held.set(enough?.borrowerId ?? '', btc(2n * ONE_BTC))
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([
    ESCALATED,
    ['warning.raised 1', 'warning.cured 1'],
    ESCALATED,
  ])
  expect(await readWarning(lending, enough?.id ?? '')).toMatchObject({ curedBy: 'correction' })
  await expectAllSound()
})

test('an account that the call leaves unanswered is polled alone', async () => {
  const [silent] = facilities
  const { custodian } = lending.context
  const { readings } = custodian
  custodian.readings = async (call) => {
    const answers = new Map(await readings.call(custodian, call))
    answers.delete(silent?.id ?? '')
    return answers
  }
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([ESCALATED, ESCALATED, ESCALATED])
  expect(askedAlone()).toEqual([`${silent?.id}/escalation/1`])
})

test('where the call fails each account is polled alone', async () => {
  lending.context.custodian.readings = async () => {
    throw new Error('no such operation')
  }
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([ESCALATED, ESCALATED, ESCALATED])
  expect(askedAlone()).toHaveLength(3)
  expect(fallbacks).toEqual([new Error('no such operation')])
})

test('where the call fails two accounts at most are polled at once', async () => {
  facilities.push(...(await addCriticals(lending, 3)))
  const { custodian } = lending.context
  custodian.readings = async () => {
    throw new Error('no such operation')
  }
  const { positions } = custodian
  let running = 0
  let most = 0
  custodian.positions = async (call) => {
    running += 1
    most = Math.max(most, running)
    await pause(50)
    running -= 1
    return await positions.call(custodian, call)
  }
  expect(await escalate()).toEqual(facilities.map(() => DONE))
  expect(most).toBe(2)
})

test('a confirmation that is too old decides nothing, and each account is polled again', async () => {
  const { custodian } = lending.context
  const { readings } = custodian
  custodian.readings = async (call) => {
    const answers = await readings.call(custodian, call)
    // As of a worker that is paused between question and decision.
    lending.advance(11 * SECOND_MS)
    return answers
  }
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(await eventsOfEach()).toEqual([ESCALATED, ESCALATED, ESCALATED])
  expect(askedAlone()).toHaveLength(3)
})

test('a facility with a held lock fails alone, and the others escalate', async () => {
  const [held] = facilities
  const release = await holdLock(lending, held?.id ?? '')
  const results = await escalate()
  await release()
  expect(results).toEqual([{ error: expect.any(Error) }, DONE, DONE])
  expect(await eventsOfEach()).toEqual([['warning.raised 1'], ESCALATED, ESCALATED])
  expect(askedAlone().every((call) => call.startsWith(`${held?.id}/`))).toBe(true)
  expect(fallbacks).toEqual([])
  await settle(lending)
  expect((await eventsOfEach())[0]).toEqual(expect.arrayContaining(ESCALATED))
  await expectAllSound()
})

test('a warning with enough stored positions by now is evaluated and does not escalate', async () => {
  lending.market.set('BTC', '100000')
  lending.advance(MINUTE_MS)
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  const cured = ['warning.raised 1', 'warning.cured 1']
  expect(await eventsOfEach()).toEqual([cured, cured, cured])
  expect(lending.custodian.calls).toEqual([])
})

test('a batch that runs again after it has escalated asks the custodian nothing', async () => {
  await escalate()
  lending.custodian.calls.length = 0
  expect(await escalate()).toEqual([DONE, DONE, DONE])
  expect(lending.custodian.calls).toEqual([])
  expect(await eventsOfEach()).toEqual([ESCALATED, ESCALATED, ESCALATED])
})

test('a question that stood is over once the call has answered for its account', async () => {
  const [pending] = facilities
  lending.custodian.next.push('pending')
  const result = await escalateWarning(lending.context, lending.tenantId, pending?.id ?? '')
  expect(result).toMatchObject({ done: false })
  await escalate()
  const inquiry = await lending.db
    .selectFrom('position_inquiries')
    .select(['number', 'asked_at'])
    .where('facility_id', '=', pending?.id ?? '')
    .where('purpose', '=', 'escalation')
    .executeTakeFirstOrThrow()
  expect(inquiry).toEqual({ number: 1n, asked_at: null })
})

test('a facility that is no longer approved has nothing left to escalate', async () => {
  const { context, tenantId } = lending
  await lending.db
    .updateTable('facilities')
    .set({ state: 'CLOSING' })
    .where('facility_id', '=', facilities[0]?.id ?? '')
    .execute()
  expect(await escalateWarnings(context, tenantId, ids(), fail)).toEqual([DONE, DONE, DONE])
  expect((await eventsOfEach())[0]).toEqual(['warning.raised 1'])
})
