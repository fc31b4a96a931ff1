import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import { findLanesBehind } from '../../../src/domain/deliveries/behind.ts'
import { type ClaimedDelivery, claim as claimOn } from '../../../src/domain/deliveries/claim.ts'
import { lockToDeliver } from '../../../src/domain/deliveries/lane.ts'
import { record as recordOn } from '../../../src/domain/deliveries/record.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  type LeasedDelivery,
  readDeliveries,
  readLane,
  readWebhook,
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
/** Two seconds to begin, the deadline, and three to record. */
const LEASE_MS = DEADLINE_MS + 3 * SECOND_MS

type Target = { tenantId: string; webhookId: string }

async function addTarget(eventCount: number): Promise<Target> {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookId }
}

const claim = (target: Target, now: Date, limit = 1_000, lease?: string) =>
  claimAt(database.db, target, { limit, deadlineMs: DEADLINE_MS, now, ...(lease && { lease }) })

const endAt =
  <D extends ClaimedDelivery>(endedAt: Date, status = 200) =>
  (delivery: D) => ({ delivery, endedAt, outcome: answered(status) })

const record = (target: Target, deliveries: LeasedDelivery[], status: number, endedAt: Date) =>
  recordAt(database.db, target, deliveries.map(endAt(endedAt, status)), endedAt)

const readAttempts = (webhookId: string) =>
  database.db
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .orderBy('event_id')
    .orderBy('number')
    .execute()

describe('the schedule', () => {
  test('a delivery has six attempts, after 1m, 5m, 30m, 2h and 6h, and is then dead-lettered', async () => {
    const target = await addTarget(1)
    let now = START
    const pauses = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS]
    for (const [index, pause] of pauses.entries()) {
      const claimed = await claim(target, now)
      expect(claimed.map((delivery) => delivery.attempt)).toEqual([index + 1])
      await record(target, claimed, 500, now)
      expect(await claim(target, addMs(now, pause - 1))).toEqual([])
      now = addMs(now, pause)
    }
    await record(target, await claim(target, now), 500, now)

    const [delivery] = await readDeliveries(database.db, target.webhookId)
    expect(delivery).toMatchObject({ state: 'dead_lettered', attempts: 6, due_at: null })
    expect(await claim(target, addMs(now, 1_000 * HOUR_MS))).toEqual([])
    const attempts = await readAttempts(target.webhookId)
    expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6])
  })
})

describe('a claim', () => {
  test('a lane is claimed by no other worker while its lease lasts, and what the first has not recorded by any after it', async () => {
    const target = await addTarget(2)
    const [first] = await claim(target, START, 1)
    expect(await claim(target, addMs(START, LEASE_MS - 1))).toEqual([])
    const afterLease = addMs(START, LEASE_MS)
    expect(await findLanesBehind(database.db, afterLease)).toContainEqual(
      expect.objectContaining(target),
    )
    const again = await claim(target, afterLease)
    expect(again.map(({ sequence, attempt }) => [sequence, attempt])).toEqual([
      [first?.sequence, 1],
      [(first?.sequence ?? 0n) + 1n, 1],
    ])
  })

  test('a lease counts by the clock of its worker, and an event is claimed though that is behind', async () => {
    const target = await addTarget(1)
    const behind = addMs(new Date(), -50_000)
    expect(await claim(target, behind)).toHaveLength(1)
    expect(await claim(target, addMs(behind, LEASE_MS - 1))).toEqual([])
    expect(await claim(target, addMs(behind, LEASE_MS))).toMatchObject([{ attempt: 1 }])
  })

  test('eight workers that claim at the same time give the lane to exactly one', async () => {
    const target = await addTarget(40)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(target, START, 10)))
    expect(claims.map(({ length }) => length).filter((length) => length > 0)).toEqual([10])
  })

  test('the holder claims more beside what it has claimed, each delivery once', async () => {
    const target = await addTarget(5)
    const [first] = await claim(target, START, 1)
    const more = await claim(target, START, 2, first?.lease)
    const rest = await claim(target, START, 10, first?.lease)
    const sequences = [first, ...more, ...rest].map((delivery) => delivery?.sequence)
    expect(new Set(sequences).size).toBe(5)
    const { in_flight: inFlight } = await readLane(database.db, target.webhookId)
    expect(inFlight.map(BigInt)).toEqual(sequences)
  })

  test('a claim that finds nothing frees the lane, and has seen all events up to it', async () => {
    const target = await addTarget(2)
    const narrow = await addWebhook(database.db, target.tenantId, { eventTypes: ['draw.failed'] })
    await addEvents(database.db, target.tenantId, 3)
    expect(await claim({ ...target, webhookId: narrow }, START)).toEqual([])
    expect(await readLane(database.db, narrow)).toMatchObject({ seen: 5n, lease: null })
  })

  test('a claim has no secret before there is one, and the new one right after a replacement', async () => {
    const target = await addTarget(3)
    const [unsigned] = await claim(target, START, 1)
    const create = () =>
      inTransaction(database.db, (tx) =>
        createSigningSecret(tx, target.tenantId, sealer, () => new Date()),
      )
    const first = await create()
    const [signed] = await claim(target, START, 1, unsigned?.lease)
    const second = await create()
    const [resigned] = await claim(target, START, 1, unsigned?.lease)
    expect(unsigned?.secret).toBeUndefined()
    expect([signed?.secret, resigned?.secret]).toEqual([first.secret, second.secret])
  })
})

/** What the planner knows when the statements are planned. */
const statistics: Record<string, (db: Db) => Promise<unknown>> = {
  'a partition that was never analysed': async () => undefined,
  'statistics of empty partitions': (db) => sql`VACUUM ANALYZE`.execute(db),
  'statistics of a few deliveries': async (db) => {
    const tenantId = await openTenant(db)
    await addWebhook(db, tenantId)
    await addEvents(db, tenantId, 3)
    await sql`VACUUM ANALYZE`.execute(db)
  },
}

test.each(Object.entries(statistics))(
  'neither a claim nor a record reads other deliveries or events, though planned with %s',
  async (_, prepare) => {
    // One connection: its statements are planned once, when there is next to nothing to plan for.
    await using own = await createTestDatabase({ maxConnections: 1 })
    await prepare(own.db)
    await sql`SET plan_cache_mode = force_generic_plan`.execute(own.db)
    const tenantId = await openTenant(own.db)
    const webhookId = await addWebhook(own.db, tenantId)
    const countRead = async (tx: Tx) => {
      const { rows } = await sql<{ read: bigint }>`
        SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS read FROM pg_stat_xact_user_tables
        WHERE relname LIKE 'deliveries_%' OR relname LIKE 'events_%'`.execute(tx)
      return Number(rows[0]?.read)
    }
    const lease = '00000000-0000-4000-8000-000000000000'
    const turn = (ended: ClaimedDelivery[], room: number) =>
      inTransaction(own.db, async (tx) => {
        const before = await countRead(tx)
        const lane = await lockToDeliver(tx, { tenantId, webhookId })
        if (!lane || lane === 'locked') throw new Error('the lane is free')
        const { recorded } = await recordOn(tx, lane, ended.map(endAt(START)), {
          ...{ lease, random: () => 0, now: START },
        })
        const settled = ended.map(({ sequence }) => sequence)
        const terms = { lease, inFlight: [], settled, room, failures: 0 }
        const claimed = claimOn(
          tx,
          lane,
          { ...terms, deadlineMs: DEADLINE_MS, askedAt: START },
          sealer,
        )
        await tx.settle()
        const read = (await countRead(tx)) - before
        return { claimed: claimed.deliveries(), recorded: recorded.length, read }
      })
    const claimAndRecord = async (limit: number) => {
      const first = await turn([], limit)
      const second = await turn(first.claimed, limit)
      const third = await turn(second.claimed, 0)
      return {
        recorded: second.recorded + third.recorded,
        read: first.read + second.read + third.read,
      }
    }
    await addEvents(own.db, tenantId, 6)
    for (let turn = 0; turn < 2; turn += 1) await claimAndRecord(1)

    await addEvents(own.db, tenantId, 2_000)
    const { recorded, read } = await claimAndRecord(10)
    expect(recorded).toBe(20)
    expect(read).toBeLessThanOrEqual(120)

    // Nobody records these: the next claim makes them due again.
    const left = await turn([], 10)
    const again = await turn([], 10)
    expect(again.claimed.map(({ sequence }) => sequence)).toEqual(
      left.claimed.map(({ sequence }) => sequence),
    )
    expect(left.read + again.read).toBeLessThanOrEqual(120)
  },
)

describe('a record', () => {
  test('a record under a lease that another worker now has changes nothing', async () => {
    const target = await addTarget(1)
    const stale = await claim(target, START)
    const fresh = await claim(target, addMs(START, LEASE_MS))
    const before = await readDeliveries(database.db, target.webhookId)

    expect(await record(target, stale, 200, addMs(START, 21_000))).toMatchObject({ recorded: 0 })
    expect(await readDeliveries(database.db, target.webhookId)).toEqual(before)
    expect(await readAttempts(target.webhookId)).toEqual([])

    await record(target, fresh, 500, addMs(START, 22_000))
    expect(await readAttempts(target.webhookId)).toMatchObject([{ number: 1, status: 500 }])
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({ failures: 1 })
    expect(await record(target, fresh, 200, addMs(START, 23_000))).toMatchObject({ recorded: 0 })
  })

  test('an ordinary delivery is inserted once and updated once, and no index is touched by that', async () => {
    await using own = await createTestDatabase()
    const tenantId = await openTenant(own.db)
    const target = { tenantId, webhookId: await addWebhook(own.db, tenantId) }
    await addEvents(own.db, tenantId, 20)
    const now = addMs(new Date(), MINUTE_MS)
    const claimed = await claimAt(own.db, target, { limit: 20, deadlineMs: DEADLINE_MS, now })
    await recordAt(own.db, target, claimed.map(endAt(now)), now)
    await sql`SELECT pg_stat_force_next_flush()`.execute(own.db)
    await expect
      .poll(async () => {
        const { rows } = await sql`
          SELECT sum(n_tup_ins)::int AS inserted, sum(n_tup_upd)::int AS updated,
                 sum(n_tup_hot_upd)::int AS hot
          FROM pg_stat_user_tables WHERE relname LIKE 'deliveries_%'`.execute(own.db)
        return rows[0]
      })
      .toEqual({ inserted: 20, updated: 20, hot: 20 })
  })

  test('a record of any 2xx resets the failure counter to 0', async () => {
    const target = await addTarget(3)
    const [first, second, third] = await claim(target, START)
    await record(
      target,
      [first, second].flatMap((delivery) => delivery ?? []),
      503,
      START,
    )
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      failures: 2,
    })
    await record(target, third ? [third] : [], 204, START)
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      failures: 0,
      state: 'active',
    })
  })

  test('records disable the webhook at exactly 100 failures though more attempts are in flight', async () => {
    const target = await addTarget(130)
    const claimed = await claim(target, START, 120)
    const groups = Array.from({ length: 12 }, (_, index) =>
      claimed.slice(index * 10, index * 10 + 10),
    )
    const results: Awaited<ReturnType<typeof record>>[] = []
    for (const group of groups) results.push(await record(target, group, 500, START))

    expect(results.filter((result) => result.disabled)).toHaveLength(1)
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      failures: 100,
      state: 'disabled',
    })
    const deliveries = await readDeliveries(database.db, target.webhookId)
    expect(new Set(deliveries.map((delivery) => delivery.state))).toEqual(new Set(['cancelled']))
    expect(await readAttempts(target.webhookId)).toHaveLength(120)
    expect(await claim(target, addMs(START, 1_000 * HOUR_MS))).toEqual([])
  })

  test('a record after a deletion is kept: a failure stays cancelled, a success is delivered', async () => {
    const target = await addTarget(3)
    const [failing, succeeding] = await claim(target, START, 2)
    await inTransaction(database.db, (tx) =>
      deleteWebhook(tx, target.tenantId, target.webhookId, () => START),
    )
    expect(await claim(target, START)).toEqual([])

    await record(target, failing ? [failing] : [], 500, START)
    await record(target, succeeding ? [succeeding] : [], 200, START)
    const states = (await readDeliveries(database.db, target.webhookId)).map((row) => row.state)
    expect(states).toEqual(['cancelled', 'delivered', 'cancelled'])
    expect(await readAttempts(target.webhookId)).toHaveLength(2)
    expect(await claim(target, addMs(START, HOUR_MS))).toEqual([])
  })
})
