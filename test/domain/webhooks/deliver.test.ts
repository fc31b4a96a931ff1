import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMs, HOUR_MS, MINUTE_MS } from '../../../src/core/time.ts'
import { type Db, inTransaction, type Tx } from '../../../src/db/database.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  type FinishedAttempt,
  type LockedWebhook,
  leaseDeliveries,
  lockAndClaim,
  lockForDelivery,
} from '../../../src/domain/webhooks/deliveries/deliver.ts'
import { findWebhooksWithDue } from '../../../src/domain/webhooks/deliveries/find-due.ts'
import {
  recordAttempts,
  recordTogether,
} from '../../../src/domain/webhooks/deliveries/record-attempts.ts'
import { createSigningSecret } from '../../../src/domain/webhooks/signing-secret.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  answered,
  claimAt,
  claimFreeAt,
  readDeliveries,
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
const noJitter = () => 0

type Target = { tenantId: string; webhookId: string }

async function addTarget(eventCount: number): Promise<Target> {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await addEvents(database.db, tenantId, eventCount)
  return { tenantId, webhookId }
}

function claim(target: Target, now: Date, limit = 1_000): Promise<ClaimedDelivery[]> {
  return claimAt(database.db, target, { limit, deadlineMs: DEADLINE_MS, now })
}

const endAt =
  (endedAt: Date, status = 200) =>
  (delivery: ClaimedDelivery): FinishedAttempt => ({
    delivery,
    startedAt: endedAt,
    endedAt,
    outcome: answered(status),
  })

const record = (target: Target, deliveries: ClaimedDelivery[], status: number, endedAt: Date) =>
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

/** How a claim gets its lock. */
const ways = { 'before it': claimAt, 'with it': claimFreeAt }

describe.each(Object.entries(ways))('a claim whose lock is taken %s', (_, claimBy) => {
  const claim = (target: Target, now: Date, limit = 1_000) =>
    claimBy(database.db, target, { limit, deadlineMs: DEADLINE_MS, now })

  test('a claimed delivery is claimed by no other worker while its lease lasts, and by any worker after it', async () => {
    const target = await addTarget(1)
    expect(await claim(target, START)).toHaveLength(1)
    expect(await claim(target, addMs(START, DEADLINE_MS))).toEqual([])
    const afterLease = addMs(START, DEADLINE_MS + 3_000)
    expect(await findWebhooksWithDue(database.db, afterLease)).toContainEqual(target)
    expect(await claim(target, afterLease)).toMatchObject([{ attempt: 1 }])
  })

  test('by a clock that is behind, a new delivery is claimed at once and a lease lasts as long as ever', async () => {
    const target = await addTarget(1)
    const behind = addMs(new Date(), -50_000)
    expect(await claim(target, behind)).toHaveLength(1)
    expect(await claim(target, addMs(behind, DEADLINE_MS + 2_999))).toEqual([])
    expect(await claim(target, addMs(behind, DEADLINE_MS + 3_000))).toMatchObject([{ attempt: 1 }])
  })

  test('a delivery whose event is gone keeps no other from its turn', async () => {
    const target = await addTarget(3)
    const gone = sql`DELETE FROM events WHERE tenant_id = ${target.tenantId} AND sequence <= 2`
    await gone.execute(database.db)
    expect(await claim(target, START, 2)).toEqual([])
    expect(await claim(target, START, 2)).toHaveLength(1)
  })

  test('eight workers that claim at once give each delivery to exactly one', async () => {
    const target = await addTarget(40)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim(target, START, 10)))
    const eventIds = claims.flat().map((delivery) => delivery.eventId)
    expect(new Set(eventIds).size).toBe(eventIds.length)
    const rest = await claim(target, START)
    expect(eventIds.length + rest.length).toBe(40)
  })

  test('a claim has no secret before there is one, and the new one right after a replacement', async () => {
    const target = await addTarget(3)
    const [unsigned] = await claim(target, START, 1)
    const create = () =>
      inTransaction(database.db, (tx) =>
        createSigningSecret(tx, target.tenantId, sealer, new Date()),
      )
    const first = await create()
    const [signed] = await claim(target, START, 1)
    const second = await create()
    const [resigned] = await claim(target, START, 1)
    expect(unsigned?.secret).toBeUndefined()
    expect([signed?.secret, resigned?.secret]).toEqual([first.secret, second.secret])
  })
})

test('a claim with its lock takes nothing of a webhook that is locked or disabled, and says which it has', async () => {
  const [free, locked, disabled] = [await addTarget(1), await addTarget(1), await addTarget(1)]
  const ids = ({ webhookId }: Target) => sql`webhook_id = ${webhookId}`
  await sql`UPDATE webhooks SET state = 'disabled' WHERE ${ids(disabled)}`.execute(database.db)
  const claimAll = () =>
    inTransaction(database.db, (tx) =>
      lockAndClaim(
        tx,
        [disabled, locked, free].map((target) => ({ ...target, limit: 5 })),
        { deadlineMs: DEADLINE_MS, now: START },
        sealer,
      ),
    )
  // So that the statements are prepared, and go in one message.
  await claimAll()
  await sql`UPDATE deliveries SET lease = NULL, due_at = recorded_at`.execute(database.db)
  await inTransaction(database.db, async (tx) => {
    await sql`SELECT FROM webhooks WHERE ${ids(locked)} FOR NO KEY UPDATE`.execute(tx)
    const { webhooks, claimed } = await claimAll()
    expect(claimed.map(({ webhookId }) => webhookId)).toEqual([free.webhookId])
    expect(webhooks.map(({ webhookId, isActive }) => [webhookId, isActive])).toEqual([
      [disabled.webhookId, false],
      [free.webhookId, true],
    ])
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
    const claimAndRecord = (limit: number) =>
      inTransaction(own.db, async (tx) => {
        const before = await countRead(tx)
        const terms = { deadlineMs: DEADLINE_MS, now: START, distributed: false, random: noJitter }
        const wanted = { tenantId, webhookId, limit }
        const { webhooks, claimed } = await lockAndClaim(tx, [wanted], terms, sealer)
        const [webhook] = webhooks
        if (!webhook) throw new Error('the webhook is free')
        leaseDeliveries(tx, claimed)
        const more = await claimDeliveries(tx, [{ ...webhook, limit }], terms, sealer)
        leaseDeliveries(tx, more)
        const attempts = [...claimed, ...more].map(endAt(START))
        const { recorded } = await recordAttempts(tx, webhook, attempts, {
          random: noJitter,
          now: START,
          distributed: false,
        })
        const last = await claimDeliveries(tx, [{ ...webhook, limit }], terms, sealer)
        const unleased = last.map(endAt(START))
        await recordTogether(tx, [{ webhook, attempts: [], unleased }], terms)
        return { recorded: recorded + unleased.length, read: (await countRead(tx)) - before }
      })
    await addEvents(own.db, tenantId, 6)
    for (let turn = 0; turn < 2; turn += 1) await claimAndRecord(1)

    await addEvents(own.db, tenantId, 2_000)
    const { recorded, read } = await claimAndRecord(10)
    expect(recorded).toBe(30)
    expect(read).toBeLessThanOrEqual(180)
  },
)

describe('a record', () => {
  test('a record under a lease that another worker now has changes nothing', async () => {
    const target = await addTarget(1)
    const stale = await claim(target, START)
    const fresh = await claim(target, addMs(START, 20_000))
    const before = await readDeliveries(database.db, target.webhookId)

    expect(await record(target, stale, 200, addMs(START, 21_000))).toMatchObject({ recorded: 0 })
    expect(await readDeliveries(database.db, target.webhookId)).toEqual(before)
    expect(await readAttempts(target.webhookId)).toEqual([])

    // A paused worker may even hold both: only the lease in force counts.
    await record(target, [...stale, ...fresh], 500, addMs(START, 22_000))
    expect(await readAttempts(target.webhookId)).toMatchObject([{ number: 1, status: 500 }])
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      consecutive_failed_attempts: 1,
    })
  })

  test('what ends in the transaction of its claim is recorded without a lease, and once', async () => {
    const target = await addTarget(2)
    const terms = { deadlineMs: DEADLINE_MS, now: START, random: noJitter, distributed: false }
    const claimInto = async (tx: Tx, webhook: LockedWebhook) =>
      (await claimDeliveries(tx, [{ ...webhook, limit: 2 }], terms, sealer)).map(endAt(START))
    const undone: FinishedAttempt[] = []
    const failed = inTransaction(database.db, async (tx) => {
      const webhook = await lockForDelivery(tx, target)
      undone.push(...(await claimInto(tx, webhook)))
      await recordTogether(tx, [{ webhook, attempts: [], unleased: undone }], terms)
      throw new Error('before its commit')
    })
    await expect(failed).rejects.toThrow('before its commit')
    expect(undone.map(({ delivery }) => delivery.isLeasedByClaim)).toEqual([false, false])

    await inTransaction(database.db, async (tx) => {
      const webhook = await lockForDelivery(tx, target)
      const unleased = await claimInto(tx, webhook)
      await recordTogether(tx, [{ webhook, attempts: undone, unleased }], terms)
    })
    const delivered = { state: 'delivered', attempts: 1, lease: null, due_at: null }
    expect(await readDeliveries(database.db, target.webhookId)).toMatchObject([
      delivered,
      delivered,
    ])
    expect(await readAttempts(target.webhookId)).toHaveLength(2)
    const late = { random: noJitter, now: START, distributed: false }
    const { recorded } = await inTransaction(database.db, async (tx) =>
      recordAttempts(tx, await lockForDelivery(tx, target), undone, late),
    )
    expect(recorded).toBe(0)
  })

  test('a delivery whose earlier lease ran out is recorded in the transaction of its next claim', async () => {
    const target = await addTarget(1)
    const stale = (await claim(target, START)).map(endAt(START))
    const terms = {
      deadlineMs: DEADLINE_MS,
      now: addMs(START, 20_000),
      random: noJitter,
      distributed: false,
    }
    await inTransaction(database.db, async (tx) => {
      const webhook = await lockForDelivery(tx, target)
      const claimed = await claimDeliveries(tx, [{ ...webhook, limit: 1 }], terms, sealer)
      expect(claimed.map(({ leaseBefore }) => leaseBefore)).toEqual([stale[0]?.delivery.lease])
      await recordTogether(
        tx,
        [{ webhook, attempts: [], unleased: claimed.map(endAt(START)) }],
        terms,
      )
    })
    expect((await recordAt(database.db, target, stale, START)).recorded).toBe(0)
    expect(await readAttempts(target.webhookId)).toHaveLength(1)
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
      consecutive_failed_attempts: 2,
    })
    await record(target, third ? [third] : [], 204, START)
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      consecutive_failed_attempts: 0,
      state: 'active',
    })
  })

  test('records disable the webhook at exactly 100 failures though many attempts end at once', async () => {
    const target = await addTarget(130)
    const claimed = await claim(target, START, 120)
    const groups = Array.from({ length: 12 }, (_, index) =>
      claimed.slice(index * 10, index * 10 + 10),
    )
    const results = await Promise.all(groups.map((group) => record(target, group, 500, START)))

    expect(results.filter((result) => result.disabled)).toHaveLength(1)
    expect(await readWebhook(database.db, target.webhookId)).toMatchObject({
      consecutive_failed_attempts: 100,
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
    expect(await claim(target, addMs(START, HOUR_MS))).toEqual([])

    await record(target, failing ? [failing] : [], 500, START)
    await record(target, succeeding ? [succeeding] : [], 200, START)
    const states = (await readDeliveries(database.db, target.webhookId)).map((row) => row.state)
    expect(states).toEqual(['cancelled', 'delivered', 'cancelled'])
    expect(await readAttempts(target.webhookId)).toHaveLength(2)
    expect(await claim(target, addMs(START, HOUR_MS))).toEqual([])
  })
})
