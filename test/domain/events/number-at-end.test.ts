import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../src/core/sealing.ts'
import { addMs } from '../../../src/core/time.ts'
import { inTransaction, runInSavepoint, type Tx } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { lockCounter } from '../../../src/domain/events/number-queries.ts'
import { fingerprintOf, runOnce } from '../../../src/domain/idempotency/idempotency.ts'
import { deleteWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  eligible,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { findViolations } from '../../support/lending/find-violations.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
import { commitAndDie } from '../../support/stores/commit-and-die.ts'
import { createTestDatabase, type TestDatabase } from '../../support/stores/database.ts'

let database: TestDatabase
let tenantId: string
// Of its own for each test: after one was undone, a process numbers together for ten seconds.
beforeEach(async () => {
  database = await createTestDatabase({ maxConnections: 8 })
  tenantId = await openTenant(database.db)
  return () => database[Symbol.asyncDispose]()
})

const readXid = async (tx: Tx) => {
  const { rows } = await sql<{ xid: string }>`SELECT pg_current_xact_id()::text AS xid`.execute(tx)
  return rows[0]?.xid
}

/** The transactions that made the tenant's events, in their order. */
async function readMakers(): Promise<string[]> {
  const { rows } = await sql<{ xmin: string }>`
    SELECT xmin::text FROM events WHERE tenant_id = ${tenantId} ORDER BY sequence`.execute(
    database.db,
  )
  return rows.map(({ xmin }) => xmin)
}

/** Returns the transaction that changed something. */
const change = (...borrowerIds: string[]) =>
  inTransaction(database.db, async (tx) => {
    await appendEvents(tx, tenantId, borrowerIds.map(eligible))
    return await readXid(tx)
  })

const idsOf = async () =>
  (await readEvents(database.db, tenantId)).map(({ resource }) => resource.id)

/** Holds locks until it is called. */
async function hold(lock: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  const locked = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const holder = inTransaction(database.db, async (tx) => {
    await lock(tx)
    locked.resolve()
    await end.promise
  })
  await locked.promise
  return async () => {
    end.resolve()
    await holder
  }
}

/** As a process that dies between a commit and the numbering leaves it. */
const leaveUnnumbered = (borrowerId: string) =>
  commitAndDie(database.url, (tx) => appendEvents(tx, tenantId, [eligible(borrowerId)]))

describe('a change that is alone in its process', () => {
  test('commits its events with their numbers and deliveries', async () => {
    const webhookId = await addWebhook(database.db, tenantId)
    const xid = await change('bor_1', 'bor_2')
    expect(await readMakers()).toEqual([xid, xid])
    expect(await readDeliveries(database.db, webhookId)).toHaveLength(2)
  })

  test('has each of its statements planned a few times a connection, and not for each event', async () => {
    await using own = await createTestDatabase({ maxConnections: 1 })
    await sql`SET plan_cache_mode = auto`.execute(own.db)
    const tenant = await openTenant(own.db)
    await addWebhook(own.db, tenant)
    for (let event = 0; event < 30; event += 1) await addEvents(own.db, tenant, 1)
    const { rows } = await sql<{ statement: string; planned: number }>`
      SELECT statement, custom_plans::int AS planned FROM pg_prepared_statements
      WHERE generic_plans + custom_plans >= 30`.execute(own.db)
    expect(rows.some(({ statement }) => statement.includes('INSERT INTO deliveries'))).toBe(true)
    expect(rows.filter(({ planned }) => planned > 5)).toEqual([])
  })

  test('commits them with the answer that is kept for a repeated request', async () => {
    const fingerprint = fingerprintOf('POST', '/', 'hash')
    const keyed = { tenantId, key: randomUUID(), fingerprint, sentBy: 'key_1' }
    const secrets = {
      sealer: createSealer([{ id: 'test', bytes: randomBytes(32) }]),
      replayHours: 24,
      currentSecretId: async () => undefined,
    }
    await runOnce(database.db, keyed, { secrets, now: new Date() }, async (tx) => {
      await appendEvents(tx, tenantId, [eligible('bor_1')])
      return { status: 201, body: '{}' }
    })
    const { rows } = await sql<{ xmin: string }>`
      SELECT xmin::text FROM idempotency_records WHERE key = ${keyed.key}`.execute(database.db)
    expect(await readMakers()).toEqual(rows.map(({ xmin }) => xmin))
  })

  test('has its number after what was committed before, by a process that died since', async () => {
    await leaveUnnumbered('bor_left')
    const xid = await change('bor_1')
    expect(await idsOf()).toEqual(['bor_left', 'bor_1'])
    expect(await readMakers()).not.toContain(xid)
  })

  test('numbers no event of another in the place of its own that was undone', async () => {
    await leaveUnnumbered('bor_left')
    await inTransaction(database.db, async (tx) => {
      await runInSavepoint(tx, async () => {
        await appendEvents(tx, tenantId, [eligible('bor_undone')])
        return false
      })
    })
    expect(await idsOf()).toEqual(['bor_left'])
  })

  test('has its number after the commit where the last event was recorded by a clock that is ahead', async () => {
    const ahead = addMs(new Date(), 30_000)
    await database.db
      .updateTable('tenant_counters')
      .set({ last_recorded_at: ahead })
      .where('tenant_id', '=', tenantId)
      .execute()
    const xid = await change('bor_1')
    expect(await readMakers()).not.toContain(xid)
    const { recorded_at: recordedAt } = await database.db
      .selectFrom('events')
      .select('recorded_at')
      .executeTakeFirstOrThrow()
    expect(recordedAt >= ahead).toBe(true)
  })

  test('writes each event, its chain and its deliveries as they are written for several', async () => {
    const [wanting, other, ended] = [
      await addWebhook(database.db, tenantId, { eventTypes: ['draw.completed'] }),
      await addWebhook(database.db, tenantId, { eventTypes: ['facility.closed'] }),
      await addWebhook(database.db, tenantId),
    ]
    await addWebhook(database.db, tenantId)
    await inTransaction(database.db, (tx) => deleteWebhook(tx, tenantId, ended, () => new Date()))
    const loan = { positions: {}, principalCents: 0n, accruedAt: new Date() }
    const [facilityId = ''] = await insertFacilities(database.db, tenantId, [loan])
    const occurredAt = new Date('2026-02-03T04:05:06.007Z')
    const drawn = {
      type: 'draw.completed' as const,
      resource: { type: 'draw' as const, id: 'drw_"é\\1' },
      occurredAt,
      data: { facility_id: facilityId, reference: 'a "quoted" \n line, é and 𝄞' } as never,
    }
    const bind = async () => {
      for (const record of ['journal b', 'journal a']) {
        await sql`INSERT INTO unbound_records (tenant_id, facility_id, record)
          VALUES (${tenantId}, ${facilityId}, ${record})`.execute(database.db)
      }
    }
    await bind()
    const xid = await inTransaction(database.db, async (tx) => {
      await appendEvents(tx, tenantId, [drawn])
      return await readXid(tx)
    })
    expect(await readMakers()).toContain(xid)
    const release = await hold((tx) => lockCounter(tx, tenantId))
    await bind()
    const later = inTransaction(database.db, (tx) => appendEvents(tx, tenantId, [drawn]))
    await waitFor(async () => {
      const waiting = await database.db.selectFrom('unnumbered_events').select('place').execute()
      expect(waiting).toHaveLength(1)
    })
    await release()
    await later

    const events = await database.db
      .selectFrom('events')
      .selectAll()
      .where('type', '=', 'draw.completed')
      .orderBy('sequence')
      .execute()
    const [lone, shared] = events.map((event) => ({
      resource: [event.resource_type, event.resource_id, event.facility_id, event.borrower_id],
      records: event.records,
      occurredAt: event.occurred_at,
      body: event.body
        .replace(event.event_id, 'evt_')
        .replace(`"sequence":${event.sequence},`, '"sequence":n,')
        .replace(`"resource_version":${event.resource_version},`, '"resource_version":n,'),
    }))
    expect(lone).toEqual(shared)
    expect(lone?.body).toMatch(/"resource_version":n,.*"sequence":n,/)
    expect(lone?.records).toEqual(['journal a', 'journal b'])
    expect(lone?.body).toContain(JSON.stringify(drawn.data))
    expect(await readDeliveries(database.db, wanting)).toMatchObject(
      events.map(({ event_id, sequence }) => ({
        event_id,
        sequence,
        event_type: 'draw.completed',
      })),
    )
    expect(await readDeliveries(database.db, other)).toEqual([])
    const checks = ['chained-events', 'events-match-their-rows', 'gapless-sequence', 'due-in-time']
    const found = await findViolations(database.db, tenantId)
    const wrong = found.filter(({ check }) => checks.includes(check) || check.includes('deliver'))
    expect(wrong).toEqual([])
  })

  test('does not wait for a counter that another transaction has locked', async () => {
    const release = await hold((tx) => lockCounter(tx, tenantId))
    const changed = change('bor_1')
    const readVersions = async () =>
      await database.db.selectFrom('unnumbered_events').select('resource_id').execute()
    await waitFor(async () => expect(await readVersions()).toEqual([{ resource_id: 'bor_1' }]))
    await release()
    const xid = await changed
    expect(await idsOf()).toEqual(['bor_1'])
    expect(await readMakers()).not.toEqual([xid])
  })

  test('has no number and no event where it is given up', async () => {
    await addEvents(database.db, tenantId, 1)
    const givenUp = new Error('given up')
    const failed = inTransaction(database.db, async (tx) => {
      await appendEvents(tx, tenantId, [eligible('bor_1')])
      throw givenUp
    })
    await expect(failed).rejects.toBe(givenUp)
    const xid = await change('bor_2')
    expect(await idsOf()).toEqual(['bor_0', 'bor_2'])
    expect((await readMakers()).at(-1)).toBe(xid)
  })
})

describe('a change whose events cannot be numbered', () => {
  /** Longer than a lock is waited for, no event of the process can be written. */
  const lockEvents = () => hold((tx) => sql`LOCK TABLE events IN SHARE MODE`.execute(tx))

  test('commits without them, is run twice, and they are numbered later', async () => {
    const release = await lockEvents()
    let runs = 0
    await inTransaction(database.db, async (tx) => {
      runs += 1
      await appendEvents(tx, tenantId, [eligible('bor_1')])
    })
    expect(runs).toBe(2)
    expect(await idsOf()).toEqual([])
    await release()
    await addEvents(database.db, tenantId, 1)
    expect(await idsOf()).toEqual(['bor_1', 'bor_0'])
  })

  test('is the last for ten seconds that numbers its own', async () => {
    const release = await lockEvents()
    await change('bor_1')
    await release()
    const xid = await change('bor_2')
    expect(await idsOf()).toEqual(['bor_1', 'bor_2'])
    expect(await readMakers()).not.toContain(xid)
  })
})

test('changes that have committed side by side are numbered together', async () => {
  const release = await hold((tx) => lockCounter(tx, tenantId))
  const changes = Promise.all(['bor_1', 'bor_2', 'bor_3', 'bor_4'].map((id) => change(id)))
  await waitFor(async () => {
    const { rows } = await sql`
      SELECT FROM unnumbered_events WHERE tenant_id = ${tenantId}`.execute(database.db)
    expect(rows).toHaveLength(4)
  })
  await release()
  await changes
  const makers = await readMakers()
  expect(makers).toHaveLength(4)
  expect(new Set(makers).size).toBe(1)
})

test('changes side by side are numbered after they have committed', async () => {
  const borrowerIds = ['bor_1', 'bor_2', 'bor_3', 'bor_4']
  const all = Promise.withResolvers<void>()
  let written = 0
  const changes = borrowerIds.map((borrowerId) =>
    inTransaction(database.db, async (tx) => {
      await appendEvents(tx, tenantId, [eligible(borrowerId)])
      const xid = await readXid(tx)
      written += 1
      if (written === borrowerIds.length) all.resolve()
      await all.promise
      return xid
    }),
  )
  const xids = await Promise.all(changes)
  const makers = await readMakers()
  expect(makers).toHaveLength(borrowerIds.length)
  // Whichever ended last was no longer beside another.
  expect(xids.filter((xid) => xid !== undefined && makers.includes(xid)).length).toBeLessThan(2)
})

test('changes that keep coming side by side share their numberings', async () => {
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    for (let at = 0; at < 15; at += 1) await change(`bor_${writer}_${at}`)
  })
  await Promise.all(writers)
  const makers = await readMakers()
  expect(makers).toHaveLength(240)
  expect(new Set(makers).size).toBeLessThan(240 / 6)
})
