import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createCursorCodec } from '../../../src/core/cursor.ts'
import { addMs, HOUR_MS, systemClock } from '../../../src/core/time.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { findLanesBehind } from '../../../src/domain/deliveries/behind.ts'
import {
  listDeliveries,
  listDeliveriesOfEvent,
  retryDelivery,
} from '../../../src/domain/deliveries/deliveries.ts'
import { lockLane } from '../../../src/domain/deliveries/lane.ts'
import { deleteWebhook, disableWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import type { LanesOptions } from '../../../src/jobs/deliveries/lane.ts'
import {
  addEvents,
  addWebhook,
  claimAt,
  readDeliveries,
  readWebhook,
} from '../../support/deliveries/deliveries.ts'
import { startHeldLanes } from '../../support/deliveries/held-lanes.ts'
import { openTenant } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { databaseForFile } from '../../support/stores/database.ts'
import { testKey } from '../../support/stores/sealer.ts'

/** More than the end of a webhook may touch. */
const BACKLOG = 5_000
const DEADLINE_MS = 15_000
const cursors = createCursorCodec([testKey('test')])

const database = databaseForFile({ maxConnections: 20 })

type Target = { tenantId: string; webhookId: string }

async function addTarget(eventCount: number): Promise<Target> {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookId }
}

const startLanes = (options?: Partial<LanesOptions>) => startHeldLanes(database.db, options)

type Touched = { written: number; read: number }

/** Runs it in a transaction; gives the deliveries that it has written and read. */
function countTouched(run: (tx: Tx) => Promise<void>): Promise<Touched> {
  return inTransaction(database.db, async (tx) => {
    // The session may not have reported yet what earlier transactions have touched.
    const before = await readTouched(tx)
    await run(tx)
    const after = await readTouched(tx)
    return { written: after.written - before.written, read: after.read - before.read }
  })
}

async function readTouched(tx: Tx): Promise<Touched> {
  const { rows } = await sql<{ written: bigint; read: bigint }>`
    SELECT sum(n_tup_upd)::bigint AS written,
           sum(seq_tup_read + idx_tup_fetch)::bigint AS read
    FROM pg_stat_xact_user_tables WHERE relname LIKE 'deliveries_%'`.execute(tx)
  return { written: Number(rows[0]?.written), read: Number(rows[0]?.read) }
}

async function disable(tx: Tx, target: Target): Promise<void> {
  const lane = await lockLane(tx, target)
  if (!lane) throw new Error('there is no such lane')
  await disableWebhook(tx, lane, new Date())
}

const endings = {
  deletion: (tx: Tx, { tenantId, webhookId }: Target) =>
    deleteWebhook(tx, tenantId, webhookId, systemClock),
  disabling: disable,
}

describe.each(Object.entries(endings))('the %s of a webhook with a long backlog', (name, end) => {
  test('ending a webhook with a long backlog touches at most a batch of it; the lane cancels the rest and sends nothing', async () => {
    const target = await addTarget(BACKLOG)
    const { written, read } = await countTouched((tx) => end(tx, target))
    expect(written).toBeLessThanOrEqual(1_000)
    expect(read).toBeLessThanOrEqual(3_000)

    const claim = { limit: 10, deadlineMs: DEADLINE_MS, now: addMs(new Date(), HOUR_MS) }
    expect(await claimAt(database.db, target, claim)).toEqual([])
    const { lanes, begun } = startLanes()
    lanes.wake(target.tenantId, target.webhookId)
    await waitFor(async () => {
      const { rows } = await sql`SELECT FROM deliveries WHERE webhook_id = ${target.webhookId}
        AND state = 'pending' LIMIT 1`.execute(database.db)
      expect(rows).toEqual([])
    })
    await lanes.drain()
    expect(begun).toEqual([])
    const deliveries = await readDeliveries(database.db, target.webhookId)
    expect(deliveries).toHaveLength(BACKLOG)
    expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['cancelled']))
    expect((await readWebhook(database.db, target.webhookId)).state).toBe(
      name === 'deletion' ? 'deleted' : 'disabled',
    )
  }, 60_000)
})

test('a delivery still to be cancelled of a webhook that has ended is shown as cancelled, without a next attempt', async () => {
  const target = await addTarget(1_200)
  const { tenantId, webhookId } = target
  await inTransaction(database.db, (tx) => disable(tx, target))
  const stored = await readDeliveries(database.db, webhookId)
  const left = stored.filter(({ state }) => state === 'pending')
  expect(left).toHaveLength(200)

  const list = (state?: 'pending' | 'cancelled') =>
    listDeliveries(
      database.db,
      { tenantId, webhookId },
      { limit: 1_200, from: undefined, state },
      cursors,
    )
  expect((await list('pending')).items).toEqual([])
  for (const { items } of [await list(), await list('cancelled')]) {
    expect(items.map(({ eventId }) => eventId)).toEqual(stored.map((row) => row.event_id).reverse())
    const shown = new Set(items.map((item) => `${item.state} ${item.nextAttemptAt}`))
    expect(shown).toEqual(new Set(['cancelled undefined']))
  }
  const eventId = left[0]?.event_id ?? ''
  expect(await listDeliveriesOfEvent(database.db, tenantId, eventId)).toMatchObject([
    { state: 'cancelled', nextAttemptAt: undefined },
  ])
})

test('a delivery still to be cancelled of a webhook that has ended is found by the sweep, though due only in hours', async () => {
  const target = await addTarget(1_001)
  const { webhookId } = target
  const later = sql`now() + interval '6 hours'`
  await sql`UPDATE deliveries SET listed_as = 'pending', due_at = ${later}, next_attempt_at = ${later}
    WHERE webhook_id = ${webhookId}`.execute(database.db)
  await sql`UPDATE lanes SET retry_at = ${later} WHERE webhook_id = ${webhookId}`.execute(
    database.db,
  )
  expect(await findLanesBehind(database.db, new Date())).not.toContainEqual(
    expect.objectContaining(target),
  )
  await inTransaction(database.db, (tx) => endings.deletion(tx, target))
  expect(await findLanesBehind(database.db, new Date())).toContainEqual(
    expect.objectContaining(target),
  )

  const { lanes } = startLanes()
  lanes.wake(target.tenantId, target.webhookId)
  await waitFor(async () => {
    expect(await findLanesBehind(database.db, new Date())).not.toContainEqual(
      expect.objectContaining(target),
    )
  })
  await lanes.drain()
})

test('a requested retry is made before all that waits', async () => {
  const target = await addTarget(1)
  const { tenantId, webhookId } = target
  const { lanes, held, begun } = startLanes({ perWebhook: 2 })
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(1))
  held[0]?.answer(500)
  await waitFor(async () => {
    expect(await readDeliveries(database.db, webhookId)).toMatchObject([{ failures: 1 }])
  })
  const eventId = begun[0]?.eventId ?? ''
  await addEvents(database.db, tenantId, 60)
  lanes.wake(tenantId, webhookId)
  await waitFor(() => expect(held).toHaveLength(2))
  await inTransaction(database.db, (tx) =>
    retryDelivery(tx, { tenantId, webhookId, eventId }, new Date()),
  )
  held[0]?.answer(200)
  await waitFor(() => expect(begun).toHaveLength(4))
  expect(begun[3]).toMatchObject({ eventId, attempt: 2 })
  const drained = lanes.drain()
  for (const attempt of [...held]) attempt.answer(200)
  await drained
})

test('webhooks of one tenant that are locked keep no other tenant from being delivered', async () => {
  const { db } = database
  const tenantId = await openTenant(db)
  const locked: string[] = []
  for (let count = 0; count < 12; count += 1) locked.push(await addWebhook(db, tenantId))
  await addEvents(db, tenantId, 1)
  const healthy = await addTarget(1)
  const { lanes, held, begun } = startLanes()
  await inTransaction(db, async (tx) => {
    await sql`SELECT FROM lanes WHERE tenant_id = ${tenantId} FOR NO KEY UPDATE`.execute(tx)
    for (const webhookId of locked) lanes.wake(tenantId, webhookId)
    lanes.wake(healthy.tenantId, healthy.webhookId)
    await waitFor(() => expect(begun).toHaveLength(1))
    held[0]?.answer(200)
    await waitFor(async () => {
      expect(await readDeliveries(db, healthy.webhookId)).toMatchObject([{ state: 'delivered' }])
    })
  })
  await waitFor(() => expect(begun).toHaveLength(13))
  for (const attempt of [...held]) attempt.answer(200)
  await lanes.drain()
  const ended = await db
    .selectFrom('deliveries')
    .select('state')
    .where('tenant_id', '=', tenantId)
    .execute()
  expect(ended.map(({ state }) => state)).toEqual(locked.map(() => 'delivered'))
})
