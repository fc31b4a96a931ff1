import { afterAll, beforeAll, expect, test } from 'vitest'
import { addMs, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { isDistributed } from '../../../src/db/distribution.ts'
import { sendCollected } from '../../../src/db/transactions/at-commit.ts'
import { termsOf } from '../../../src/domain/audit/audit.ts'
import type { Read } from '../../../src/domain/audit/check.ts'
import { CHECKS } from '../../../src/domain/audit/checks.ts'
import { runScans } from '../../../src/domain/audit/run-scans.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import {
  cancelSome,
  claimDeliveries,
  leaseDeliveries,
  lockForDelivery,
  settle,
} from '../../../src/domain/webhooks/deliveries/deliver.ts'
import { retryDelivery } from '../../../src/domain/webhooks/deliveries/deliveries.ts'
import { findWebhooksWithDue } from '../../../src/domain/webhooks/deliveries/find-due.ts'
import { CANCEL_BATCH } from '../../../src/domain/webhooks/deliveries/lane-queries.ts'
import { recordAttempts } from '../../../src/domain/webhooks/deliveries/record-attempts.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  eligible,
  recordAt,
  sealer,
} from '../../support/deliveries/deliveries.ts'
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
const LEASE_MS = DEADLINE_MS + 3_000

type Target = { tenantId: string; webhookId: string }

async function addTarget(): Promise<Target> {
  const tenantId = await openTenant(database.db)
  return { tenantId, webhookId: await addWebhook(database.db, tenantId) }
}

async function readDue({ webhookId }: Target): Promise<Date | null | undefined> {
  const row = await database.db
    .selectFrom('webhook_dues')
    .select('due_at')
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst()
  return row?.due_at
}

const claim = (target: Target, now: Date, limit = 1_000) =>
  claimAt(database.db, target, { limit, deadlineMs: DEADLINE_MS, now })

const settleAt = (target: Target) =>
  inTransaction(database.db, async (tx) => settle(tx, [await lockForDelivery(tx, target)]))

const isFound = async (target: Target, now: Date) =>
  (await findWebhooksWithDue(database.db, now)).some(
    ({ webhookId }) => webhookId === target.webhookId,
  )

/** What the audit finds wrong with the due instants of the whole database. */
async function findLate() {
  const read: Read = (run) => inTransaction(database.db, run)
  const terms = termsOf({ hasSimulation: false })
  const scans = await CHECKS.find(({ name }) => name === 'due-in-time')?.scans(read)
  const distributed = await isDistributed(database.db)
  const results = await runScans(scans ?? [], { read, terms, limit: 10, distributed })
  return [...results.values()].flatMap(({ violations }) => violations)
}

test('a webhook is due when an event is written, at each lease’s end, at each retry, and then no more', async () => {
  const target = await addTarget()
  expect(await readDue(target)).toBeNull()
  await addEvents(database.db, target.tenantId, 1)
  expect(await isFound(target, START)).toBe(true)

  const [delivery] = await claim(target, START)
  if (!delivery) throw new Error('nothing was claimed')
  await settleAt(target)
  expect(await readDue(target)).toEqual(addMs(START, LEASE_MS))

  const attempt = { delivery, startedAt: START, endedAt: START, outcome: answered(500) }
  await recordAt(database.db, target, [attempt], START)
  await settleAt(target)
  expect(await readDue(target)).toEqual(addMs(START, MINUTE_MS))
  expect(await isFound(target, addMs(START, MINUTE_MS - 1))).toBe(false)

  const retryAt = addMs(START, MINUTE_MS)
  const [again] = await claim(target, retryAt)
  if (!again) throw new Error('nothing was claimed again')
  const success = { delivery: again, startedAt: retryAt, endedAt: retryAt, outcome: answered(200) }
  await recordAt(database.db, target, [success], retryAt)
  await settleAt(target)
  expect(await readDue(target)).toBeNull()
  expect(await findLate()).toEqual([])
})

test('an event for a webhook that is already due does not write its due instant', async () => {
  const target = await addTarget()
  await addEvents(database.db, target.tenantId, 1)
  const first = await readDue(target)
  await addEvents(database.db, target.tenantId, 2)
  expect(await readDue(target)).toEqual(first)
})

test('while an event is being written its webhook stays due, whichever worker settles it', async () => {
  const target = await addTarget()
  await addEvents(database.db, target.tenantId, 1)
  const claimed = await claim(target, START)
  const attempts = claimed.map((delivery) => ({
    delivery,
    startedAt: START,
    endedAt: START,
    outcome: answered(200),
  }))
  await recordAt(database.db, target, attempts, START)

  await inTransaction(database.db, async (tx) => {
    appendEvents(tx, target.tenantId, [eligible('bor_late')])
    sendCollected(tx)
    // By its own transaction it has nothing pending; the event finds the webhook due and leaves it so.
    await settleAt(target)
    expect(await isFound(target, START)).toBe(true)
  })
  await settleAt(target)
  expect(await isFound(target, START)).toBe(true)
  expect(await findLate()).toEqual([])
})

test('a requested retry makes its webhook due at once', async () => {
  const target = await addTarget()
  await addEvents(database.db, target.tenantId, 1)
  const [delivery] = await claim(target, START)
  if (!delivery) throw new Error('nothing was claimed')
  const attempt = { delivery, startedAt: START, endedAt: START, outcome: answered(500) }
  await recordAt(database.db, target, [attempt], START)
  await settleAt(target)
  const now = addMs(START, SECOND_MS)
  expect(await isFound(target, now)).toBe(false)
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { ...target, eventId: delivery.eventId }, now),
  )
  expect(await isFound(target, now)).toBe(true)
  expect(await findLate()).toEqual([])
})

test('an attempt with a schedule that was due before its lease ended makes its webhook due then', async () => {
  const target = await addTarget()
  await addEvents(database.db, target.tenantId, 1)
  const [first] = await claim(target, START)
  if (!first) throw new Error('nothing was claimed')
  const failed = { delivery: first, startedAt: START, endedAt: START, outcome: answered(500) }
  await recordAt(database.db, target, [failed], START)

  // Asked for just before the schedule's own attempt falls due, and still on its way by then.
  const asked = addMs(START, MINUTE_MS - 1)
  const { tenantId, webhookId } = target
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { tenantId, webhookId, eventId: first.eventId }, asked),
  )
  const [requested] = await claim(target, asked)
  if (!requested) throw new Error('the retry was not claimed')
  await settleAt(target)
  expect(await readDue(target)).toEqual(addMs(asked, LEASE_MS))
  const endedAt = addMs(asked, SECOND_MS)
  const ended = { delivery: requested, startedAt: asked, endedAt, outcome: answered(500) }
  await recordAt(database.db, target, [ended], endedAt)
  expect(await isFound(target, endedAt)).toBe(true)
  expect(await findLate()).toEqual([])
})

test('a webhook that ends with a long backlog stays due until all of it is cancelled', async () => {
  const target = await addTarget()
  await addEvents(database.db, target.tenantId, CANCEL_BATCH + 1)
  const { tenantId, webhookId } = target
  await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, webhookId, () => START))
  expect(await isFound(target, START)).toBe(true)
  const hasMore = await inTransaction(database.db, async (tx) =>
    cancelSome(tx, await lockForDelivery(tx, target)),
  )
  expect(hasMore).toBe(false)
  expect(await readDue(target)).toBeNull()
})

test('writers, claims, records and settling at once never leave a webhook due too late', async () => {
  const target = await addTarget()
  const { tenantId } = target
  const others = await Promise.all([0, 1].map(() => addWebhook(database.db, tenantId)))
  const targets = [target, ...others.map((webhookId) => ({ tenantId, webhookId }))]
  const write = async () => {
    for (let turn = 0; turn < 40; turn += 1) await addEvents(database.db, tenantId, 1)
  }
  const deliver = async (at: Target) => {
    for (let turn = 0; turn < 40; turn += 1) {
      await inTransaction(database.db, async (tx) => {
        const webhook = await lockForDelivery(tx, at)
        const distributed = await isDistributed(tx)
        const terms = { limit: 3, deadlineMs: DEADLINE_MS, now: START, distributed }
        const claimed = await claimDeliveries(
          tx,
          [{ ...webhook, limit: terms.limit }],
          terms,
          sealer,
        )
        leaseDeliveries(tx, claimed)
        const attempts = claimed.map((delivery) => ({
          delivery,
          startedAt: START,
          endedAt: START,
          outcome: answered(turn % 2 === 0 ? 200 : 500),
        }))
        await recordAttempts(tx, webhook, attempts, {
          random: () => 0,
          now: START,
          distributed,
        })
        settle(tx, [webhook])
      })
      expect(await findLate()).toEqual([])
    }
  }
  await Promise.all([write(), write(), ...targets.map(deliver)])
  expect(await findLate()).toEqual([])
})
