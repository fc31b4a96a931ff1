import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { createSealer } from '../../../src/core/sealing.ts'
import { inTransaction, type Tx } from '../../../src/db/database.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { lockCounter } from '../../../src/domain/events/number-queries.ts'
import { fingerprintOf, runOnce } from '../../../src/domain/idempotency/idempotency.ts'
import {
  addEvents,
  addWebhook,
  eligible,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { waitFor } from '../../support/process/patience.ts'
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
    const keyed = { tenantId, key: randomUUID(), fingerprint: fingerprintOf('POST', '/', 'hash') }
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

  test('numbers before its own what was committed before, by a process that died since', async () => {
    await database.db
      .transaction()
      .execute((tx) => appendEvents(tx, tenantId, [eligible('bor_left')]))
    const xid = await change('bor_1')
    expect(await idsOf()).toEqual(['bor_left', 'bor_1'])
    expect(await readMakers()).toEqual([xid, xid])
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
