import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import type { EventType } from '../../../src/domain/events/event-types.ts'
import {
  addEvents,
  addWebhook,
  answered,
  readDeliveries,
  readWebhook,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

const WEBHOOKS = 8

/** Webhooks of four tenants, each with one due delivery, all woken together. */
async function startTogether({ db } = database) {
  const targets: { tenantId: string; webhookId: string; url: string }[] = []
  const eventTypes: EventType[] = ['borrower.eligible']
  for (let tenant = 0; tenant < 4; tenant += 1) {
    const tenantId = await openTenant(db)
    for (let index = 0; index < WEBHOOKS / 4; index += 1) {
      const url = `https://${tenant}-${index}.example.com/`
      targets.push({
        tenantId,
        url,
        webhookId: await addWebhook(db, tenantId, { url, eventTypes }),
      })
    }
    await addEvents(db, tenantId, 1)
  }
  const { lanes, held, begun } = startHeldLanes(db)
  const wakeAll = () => {
    for (const { tenantId, webhookId } of targets) lanes.wake(tenantId, webhookId)
  }
  return { targets, lanes, held, begun, wakeAll }
}

/** The transactions that last wrote the deliveries of these webhooks. */
async function findWriters(
  targets: readonly { webhookId: string }[],
  { db } = database,
): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    SELECT DISTINCT xmin::text AS writer FROM deliveries
    WHERE webhook_id = ANY (${targets.map(({ webhookId }) => webhookId)}::text[])
  `.execute(db)
  return rows.map(({ writer }) => writer)
}

test('webhooks of several tenants that are ready together are claimed in one transaction, and recorded in few', async () => {
  const { targets, lanes, held, wakeAll } = await startTogether()
  wakeAll()
  await waitFor(() => expect(held).toHaveLength(WEBHOOKS))
  await waitFor(async () => expect(await findWriters(targets)).toHaveLength(1))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  // On a busy machine some end a pass later.
  expect((await findWriters(targets)).length).toBeLessThanOrEqual(WEBHOOKS / 2)
  for (const { webhookId } of targets) {
    expect(await readDeliveries(database.db, webhookId)).toMatchObject([{ state: 'delivered' }])
  }
})

test('a few deliveries of one webhook that are due together are claimed in one transaction', async () => {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await addEvents(database.db, tenantId, 7)
  const { lanes, held } = startHeldLanes(database.db)
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(7))
  await waitFor(async () => expect(await findWriters([{ webhookId }])).toHaveLength(1))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
})

test('all webhooks of one tenant that wake together are claimed in one transaction, though together they could claim more than its cap', async () => {
  const tenantId = await openTenant(database.db)
  const targets = await Promise.all(
    Array.from({ length: 20 }, async () => ({
      webhookId: await addWebhook(database.db, tenantId),
    })),
  )
  await addEvents(database.db, tenantId, 1)
  const { lanes, held } = startHeldLanes(database.db, { perTenant: 50 })
  for (const { webhookId } of targets) lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(targets.length))
  await waitFor(async () => expect(await findWriters(targets)).toHaveLength(1))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
})

test('on a distributed database each tenant has a transaction of its own', async () => {
  await using own = await createTestDatabase()
  await sql`UPDATE stack SET distributed_at = now()`.execute(own.db)
  const { targets, lanes, held, wakeAll } = await startTogether(own)
  wakeAll()
  await waitFor(() => expect(held).toHaveLength(WEBHOOKS))
  await waitFor(async () => expect(await findWriters(targets, own)).toHaveLength(4))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  expect((await findWriters(targets, own)).length).toBeGreaterThanOrEqual(4)
  for (const { webhookId } of targets) {
    expect(await readDeliveries(own.db, webhookId)).toMatchObject([{ state: 'delivered' }])
  }
})

test('an attempt that has ended is recorded in the transaction of another webhook’s claim', async () => {
  const { targets, lanes, held } = await startTogether()
  const [ended, next] = targets
  if (!ended || !next) throw new Error('there are webhooks')
  lanes.wake(ended.tenantId, ended.webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  await waitFor(async () => {
    const [claimed] = await readDeliveries(database.db, ended.webhookId)
    expect(claimed?.lease).not.toBeNull()
  })
  held[0]?.answer(200)
  lanes.wake(next.tenantId, next.webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  await waitFor(async () => expect(await findWriters([ended, next])).toHaveLength(1))
  expect(await readDeliveries(database.db, ended.webhookId)).toMatchObject([{ state: 'delivered' }])
  held[0]?.answer(200)
  await lanes.drain()
})

test('a claim does not wait until what has ended is recorded', async () => {
  const { targets, lanes, held, begun } = await startTogether()
  const [ended, next] = targets
  if (!ended || !next) throw new Error('there are webhooks')
  lanes.wake(ended.tenantId, ended.webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  await waitFor(async () => {
    const [claimed] = await readDeliveries(database.db, ended.webhookId)
    expect(claimed?.lease).not.toBeNull()
  })
  await inTransaction(database.db, async (tx) => {
    await sql`SELECT FROM deliveries WHERE webhook_id = ${ended.webhookId} FOR UPDATE`.execute(tx)
    held[0]?.answer(200)
    lanes.wake(next.tenantId, next.webhookId)
    await waitFor(() => expect(begun).toHaveLength(2))
    expect(await readDeliveries(database.db, ended.webhookId)).toMatchObject([{ state: 'pending' }])
  })
  held[0]?.answer(200)
  await lanes.drain()
  for (const { webhookId } of [ended, next]) {
    expect(await readDeliveries(database.db, webhookId)).toMatchObject([{ state: 'delivered' }])
  }
})

test('an attempt that cannot be recorded undoes what others claim with it at most once', async () => {
  const { targets } = await startTogether()
  const [unrecorded, other] = targets
  if (!unrecorded || !other) throw new Error('there are webhooks')
  const sent: string[] = []
  // Beyond what its column holds.
  let durationMs = 2 ** 40
  const unrecordable = {
    ...answered(200),
    get durationMs() {
      return durationMs
    },
  }
  const { lanes } = startHeldLanes(database.db, {
    sender: {
      async send({ url }) {
        sent.push(url)
        return url === unrecorded.url ? unrecordable : answered(200)
      },
      close: async () => undefined,
    },
  })
  lanes.wake(unrecorded.tenantId, unrecorded.webhookId)
  await waitFor(() => expect(sent).toEqual([unrecorded.url]))
  const isDelivered = async (count: number) => {
    const deliveries = await readDeliveries(database.db, other.webhookId)
    expect(deliveries.filter(({ state }) => state === 'delivered')).toHaveLength(count)
  }
  for (let count = 1; count <= 5; count += 1) {
    if (count > 1) await addEvents(database.db, other.tenantId, 1)
    lanes.wake(other.tenantId, other.webhookId)
    await waitFor(() => isDelivered(count))
  }
  expect(sent.filter((url) => url === other.url).length).toBeLessThanOrEqual(6)
  durationMs = 1
  await lanes.drain()
})

test('an attempt that has ended is recorded though nothing else is to be claimed', async () => {
  const { targets, lanes, held } = await startTogether()
  const [only] = targets
  if (!only) throw new Error('there are webhooks')
  lanes.wake(only.tenantId, only.webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  held[0]?.answer(200)
  await waitFor(async () =>
    expect(await readDeliveries(database.db, only.webhookId)).toMatchObject([
      { state: 'delivered' },
    ]),
  )
  await lanes.drain()
})

test('a shared record counts each webhook’s failures, and disables the one that reaches a hundred', async () => {
  const { targets, lanes, held, wakeAll } = await startTogether()
  const counters = [0, 5, 99, 98, 7, 0, 99, 3]
  for (const [at, { webhookId }] of targets.entries()) {
    await database.db
      .updateTable('webhooks')
      .set({ consecutive_failed_attempts: counters[at] ?? 0 })
      .where('webhook_id', '=', webhookId)
      .execute()
  }
  wakeAll()
  await waitFor(() => expect(held).toHaveLength(WEBHOOKS))
  // The fifth and the seventh succeed.
  const statusOf = (url: string) => (['2-0', '3-0'].some((name) => url.includes(name)) ? 200 : 500)
  for (const attempt of [...held]) attempt.answer(statusOf(attempt.url))
  await lanes.drain()
  const webhooks = await Promise.all(
    targets.map(({ webhookId }) => readWebhook(database.db, webhookId)),
  )
  expect(webhooks.map((webhook) => webhook.consecutive_failed_attempts)).toEqual([
    1, 6, 100, 99, 0, 1, 0, 4,
  ])
  expect(webhooks.map(({ state }) => state)).toEqual(
    counters.map((_, at) => (at === 2 ? 'disabled' : 'active')),
  )
  const ends = await Promise.all(
    targets.map(({ webhookId }) => readDeliveries(database.db, webhookId)),
  )
  expect(ends.flat().map(({ state, attempts }) => `${state} ${attempts}`)).toEqual([
    'pending 1',
    'pending 1',
    'cancelled 1',
    'pending 1',
    'delivered 1',
    'pending 1',
    'delivered 1',
    'pending 1',
  ])
})

test('a webhook that is locked is left out of a shared claim and delivered once it is free', async () => {
  const { targets, lanes, held, begun, wakeAll } = await startTogether()
  const [locked] = targets
  await inTransaction(database.db, async (tx) => {
    await sql`
      SELECT FROM webhooks
      WHERE tenant_id = ${locked?.tenantId} AND webhook_id = ${locked?.webhookId}
      FOR NO KEY UPDATE`.execute(tx)
    wakeAll()
    await waitFor(() => expect(begun).toHaveLength(WEBHOOKS - 1))
    expect(begun.map(({ url }) => url)).not.toContain(locked?.url)
  })
  await waitFor(() => expect(begun).toHaveLength(WEBHOOKS))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  expect(await readDeliveries(database.db, locked?.webhookId ?? '')).toMatchObject([
    { state: 'delivered' },
  ])
})
