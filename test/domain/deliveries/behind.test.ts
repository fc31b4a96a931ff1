import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { isDistributed } from '../../../src/db/cluster/distribution.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { sendCollected } from '../../../src/db/transactions/at-commit.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Read } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { runScans } from '../../../src/domain/audit/run-scans.ts'
import { findLanesBehind } from '../../../src/domain/deliveries/behind.ts'
import { retryDelivery } from '../../../src/domain/deliveries/deliveries.ts'
import { CANCEL_BATCH, cancelPending, lockLane } from '../../../src/domain/deliveries/lane.ts'
import { appendEvents } from '../../../src/domain/events/append/append.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  eligible,
  type LeasedDelivery,
  readDeliveries,
  readLane,
  recordAt,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

/** Event ids carry real time, so a controlled clock starts a little ahead of it. */
const START = addMs(new Date(), MINUTE_MS)
const DEADLINE_MS = 15_000
const LEASE_MS = DEADLINE_MS + 3 * SECOND_MS

type Target = { tenantId: string; webhookId: string }

async function addTarget(eventCount = 0): Promise<Target> {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  if (eventCount > 0) await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookId }
}

const claim = (target: Target, now: Date, limit = 1_000) =>
  claimAt(database.db, target, { limit, deadlineMs: DEADLINE_MS, now })

const record = (target: Target, deliveries: readonly LeasedDelivery[], status: number, at: Date) =>
  recordAt(
    database.db,
    target,
    deliveries.map((delivery) => ({
      ...{ delivery, endedAt: at },
      outcome: answered(status),
    })),
    at,
  )

const isBehind = async (target: Target, now: Date) =>
  (await findLanesBehind(database.db, now)).some(({ webhookId }) => webhookId === target.webhookId)

/** What the audit finds wrong with the lanes of the whole database. */
async function findLate() {
  const read: Read = (run) => inTransaction(database.db, run)
  const terms = termsOf({ hasSimulation: false })
  const distributed = await isDistributed(database.db)
  const checks = CHECKS.filter(({ name }) => ['due-in-time', 'found-by-number'].includes(name))
  const scans = await Promise.all(checks.map((check) => check.scans(read)))
  const results = await runScans(scans.flat(), { read, terms, limit: 10, distributed })
  return [...results.values()].flatMap(({ violations }) => violations)
}

test('a lane is behind once an event is written, at its lease’s end, at each retry, and then no more', async () => {
  const target = await addTarget()
  expect(await isBehind(target, START)).toBe(false)
  await addEvents(database.db, target.tenantId, 1)
  expect(await isBehind(target, START)).toBe(true)

  const first = await claim(target, START)
  expect(await isBehind(target, addMs(START, LEASE_MS - 1))).toBe(false)
  expect(await isBehind(target, addMs(START, LEASE_MS))).toBe(true)
  await record(target, first, 500, START)
  expect((await readLane(database.db, target.webhookId)).retry_at).toEqual(addMs(START, MINUTE_MS))
  expect(await isBehind(target, addMs(START, MINUTE_MS - 1))).toBe(false)

  const retryAt = addMs(START, MINUTE_MS)
  expect(await isBehind(target, retryAt)).toBe(true)
  await record(target, await claim(target, retryAt), 200, retryAt)
  const lane = { retry_at: null, lease: null, in_flight: [], seen: 1n }
  expect(await readLane(database.db, target.webhookId)).toMatchObject(lane)
  expect(await isBehind(target, addMs(retryAt, MINUTE_MS))).toBe(false)
  expect(await findLate()).toEqual([])
})

test('an event that is being written while its lane finds nothing is found once it commits', async () => {
  const target = await addTarget(1)
  await record(target, await claim(target, START), 200, START)
  await inTransaction(database.db, async (tx) => {
    appendEvents(tx, target.tenantId, [eligible('bor_late')])
    sendCollected(tx)
    await tx.settle()
    expect(await claim(target, START)).toEqual([])
    expect(await readLane(database.db, target.webhookId)).toMatchObject({ seen: 1n, lease: null })
  })
  expect(await isBehind(target, START)).toBe(true)
  expect(await claim(target, START)).toHaveLength(1)
})

test('the lane of a webhook that wants few types is moved over the others, and stays exact', async () => {
  const { tenantId } = await addTarget()
  const narrow = await addWebhook(database.db, tenantId, { eventTypes: ['draw.failed'] })
  await addEvents(database.db, tenantId, 40)
  expect(await isBehind({ tenantId, webhookId: narrow }, START)).toBe(false)
  expect(await readLane(database.db, narrow)).toMatchObject({ seen: 40n, retry_at: null })

  await sql`UPDATE webhooks SET event_types = '{borrower.eligible}'
    WHERE webhook_id = ${narrow}`.execute(database.db)
  await addEvents(database.db, tenantId, 1)
  expect(await isBehind({ tenantId, webhookId: narrow }, START)).toBe(true)
  expect(await claim({ tenantId, webhookId: narrow }, START)).toMatchObject([{ sequence: 41n }])
})

test('a lane that is locked or held is not moved', async () => {
  const target = await addTarget()
  const narrow = await addWebhook(database.db, target.tenantId, { eventTypes: ['draw.failed'] })
  await addEvents(database.db, target.tenantId, 1)
  await inTransaction(database.db, async (tx) => {
    await lockLane(tx, { ...target, webhookId: narrow })
    expect(await isBehind({ ...target, webhookId: narrow }, START)).toBe(false)
  })
  expect(await readLane(database.db, narrow)).toMatchObject({ seen: 0n })
})

test('what a worker that died had in flight is due at its lease’s end, and whatever else waits', async () => {
  const target = await addTarget(3)
  const [dead] = await claim(target, START, 1)
  const later = addMs(START, LEASE_MS)
  const claimed = await claim(target, later)
  expect(claimed.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n])
  expect(claimed[0]).toMatchObject({ eventId: dead?.eventId, attempt: 1, requested: false })
  await record(target, claimed, 200, later)
  const delivered = { state: 'delivered', attempts: 1, due_at: null, next_attempt_at: null }
  expect(await readDeliveries(database.db, target.webhookId)).toMatchObject([
    delivered,
    delivered,
    delivered,
  ])
  expect(await findLate()).toEqual([])
})

test('a delivery whose event is no longer retained is cancelled once and fills no other claim', async () => {
  const target = await addTarget(3)
  await sql`DELETE FROM events WHERE tenant_id = ${target.tenantId}
    AND sequence <= 2`.execute(database.db)
  const { lanes } = startHeldLanes(database.db, {
    sender: { send: async () => answered(204), close: async () => undefined },
    perWebhook: 2,
  })
  expect(await lanes.run(target)).toBe('done')
  const states = (await readDeliveries(database.db, target.webhookId)).map(({ state }) => state)
  expect(states).toEqual(['cancelled', 'cancelled', 'delivered'])
})

test('a requested retry makes its lane due immediately', async () => {
  const target = await addTarget(1)
  const [delivery] = await claim(target, START)
  if (!delivery) throw new Error('nothing was claimed')
  await record(target, [delivery], 500, START)
  const now = addMs(START, SECOND_MS)
  expect(await isBehind(target, now)).toBe(false)
  const retry = () =>
    inTransaction(database.db, (tx) =>
      retryDelivery(tx, { ...target, eventId: delivery.eventId }, now),
    )
  await retry()
  expect(await isBehind(target, now)).toBe(true)
  expect(await findLate()).toEqual([])

  // While it is under way it is refused, and once the lease is over the late answer changes nothing.
  const [requested] = await claim(target, now)
  if (!requested) throw new Error('the retry was not claimed')
  await expect(retry()).rejects.toMatchObject({ code: 'delivery_in_progress' })
  const late = addMs(now, LEASE_MS)
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { ...target, eventId: delivery.eventId }, late),
  )
  expect(await record(target, [requested], 200, late)).toMatchObject({ recorded: 0 })
  expect(await claim(target, late)).toMatchObject([{ attempt: 2, requested: true }])
})

test('a retry of a delivery that has not been attempted leaves its own attempt to the schedule', async () => {
  const target = await addTarget(2)
  const [, second] = await readDeliveries(database.db, target.webhookId)
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { ...target, eventId: second?.event_id ?? '' }, START),
  )
  const [requested, ordinary] = await claim(target, START)
  expect([requested?.sequence, requested?.requested]).toEqual([2n, true])
  expect([ordinary?.sequence, ordinary?.requested]).toEqual([1n, false])
  await record(target, requested ? [requested] : [], 500, START)
  const rest = { limit: 5, deadlineMs: DEADLINE_MS, now: START, lease: requested?.lease ?? '' }
  const scheduled = await claimAt(database.db, target, rest)
  expect(scheduled).toMatchObject([{ sequence: 2n, attempt: 2, requested: false }])
  expect(await findLate()).toEqual([])
})

test('a retry that falls due while another attempt of it was asked for is made', async () => {
  const target = await addTarget(1)
  const [first] = await claim(target, START)
  if (!first) throw new Error('nothing was claimed')
  await record(target, [first], 500, START)

  // Asked for just before the schedule's own attempt falls due, and still on its way by then.
  const asked = addMs(START, MINUTE_MS - 1)
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { ...target, eventId: first.eventId }, asked),
  )
  const endedAt = addMs(asked, SECOND_MS)
  await record(target, await claim(target, asked), 500, endedAt)
  expect(await isBehind(target, endedAt)).toBe(true)
  expect(await findLate()).toEqual([])
})

test('a webhook that ends with a long backlog stays behind until all of it is cancelled', async () => {
  const target = await addTarget(CANCEL_BATCH + 1)
  const { tenantId, webhookId } = target
  await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, webhookId, () => START))
  expect(await isBehind(target, START)).toBe(true)
  expect(await inTransaction(database.db, (tx) => cancelPending(tx, target))).toBe(1)
  expect(await claim(target, START)).toEqual([])
  await addEvents(database.db, tenantId, 1)
  expect(await isBehind(target, addMs(START, MINUTE_MS))).toBe(false)
})

test('writers, claims and records at the same time never leave a delivery that no lane finds', async () => {
  const target = await addTarget()
  const { tenantId } = target
  const others = await Promise.all([0, 1].map(() => addWebhook(database.db, tenantId)))
  const targets = [target, ...others.map((webhookId) => ({ tenantId, webhookId }))]
  const write = async () => {
    for (let turn = 0; turn < 40; turn += 1) await addEvents(database.db, tenantId, 1)
  }
  const deliver = async (at: Target) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const claimed = await claim(at, START, 3)
      await record(at, claimed, turn % 2 === 0 ? 200 : 500, START)
      await findLanesBehind(database.db, START)
      expect(await findLate()).toEqual([])
    }
  }
  await Promise.all([write(), write(), ...targets.map(deliver)])
  const end = addMs(START, MINUTE_MS)
  for (const at of targets) {
    for (let claimed = await claim(at, end); claimed.length > 0; claimed = await claim(at, end)) {
      await record(at, claimed, 200, end)
    }
    const states = (await readDeliveries(database.db, at.webhookId)).map(({ state }) => state)
    expect(states).toEqual(Array.from({ length: 80 }, () => 'delivered'))
  }
  expect(await findLate()).toEqual([])
})
