import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { PUSH_FLOOR } from '../../src/domain/facilities/topics.ts'
import { CONFIRM_REPAYMENT } from '../../src/domain/repayments/report-execution.ts'
import { lendingWork } from '../../src/jobs/work/lend.ts'
import { houseForFile } from '../support/lending/houses.ts'
import {
  addDrawnFacility,
  announce,
  type Lending,
  pass,
  report,
  usd,
} from '../support/lending/lending.ts'
import { type MessageCounter, startMessageCounter } from '../support/stores/message-counter.ts'

// Each costs the service and PostgreSQL more than most statements do.

const house = houseForFile()
const cleanup = new AsyncDisposableStack()
let counter: MessageCounter
let counted: Lending
let facilityId: string

beforeAll(async () => {
  counter = cleanup.use(await startMessageCounter(house.databaseUrl))
  const db = cleanup.use(createDatabase({ connectionString: counter.url, maxConnections: 1 }))
  counted = { ...house, db, context: { ...house.context, db } }
  facilityId = (await addDrawnFacility(house, usd(10_000_00n))).id
  // Statements that the connection does not know yet are sent each on its own.
  await repayInSteps()
  await pass(house, 60_000)
})
afterAll(() => cleanup.disposeAsync())

async function repayInSteps() {
  const created = await counter.count(() => announce(counted, facilityId, usd(100_00n)))
  const reported = await counter.count(() => report(counted, created.result))
  const { tenantId, context } = counted
  const confirm = lendingWork[CONFIRM_REPAYMENT]
  const confirmed = await counter.count(() => confirm(context, tenantId, created.result.id))
  const push = lendingWork[PUSH_FLOOR]
  const pushed = await counter.count(() => push(context, tenantId, facilityId))
  const notDue = await counter.count(() => push(context, tenantId, facilityId))
  const all = { created, reported, confirmed, pushed, notDue }
  return Object.fromEntries(Object.entries(all).map(([step, { messages }]) => [step, messages]))
}

test('the steps of a repayment take no more messages to the database than follow from each other', async () => {
  expect(await repayInSteps()).toEqual({
    // Locks; facts; what is written, with the commit.
    created: 3,
    // Locks of the facility and of the repayment; the reference; what is written.
    reported: 4,
    // The repayment; locks; the transfer; what is written; three that number its event.
    confirmed: 7,
    // Locks and facts; the floor to be pushed; locks; the floor that was; three for the event.
    pushed: 7,
    notDue: 2,
  })
})
