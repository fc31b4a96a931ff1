import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs, HOUR_MS, SECOND_MS } from '../../../src/core/time.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { audit } from '../../../src/domain/audit/audit.ts'
import { appendEvents } from '../../../src/domain/events/append-event.ts'
import { numberCommitted, numberLeft } from '../../../src/domain/events/number-committed.ts'
import { numberEvents } from '../../../src/domain/events/number-events.ts'
import { lockCounter } from '../../../src/domain/events/number-queries.ts'
import { insertAbsentTenants } from '../../../src/domain/tenants/queries.ts'
import { registerWebhook } from '../../../src/domain/webhooks/webhooks.ts'
import {
  addEvents,
  addWebhook,
  eligible,
  readDeliveries,
} from '../../support/deliveries/deliveries.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { commitAndDie } from '../../support/stores/commit-and-die.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { openDatabaseWithWakes } from '../../support/stores/database-with-wakes.ts'

const database = openDatabaseWithWakes(16)
const { wakes } = database

/** A change whose events wait for their numbers. */
const leaveUnnumbered = (tenantId: string, ...borrowerIds: string[]) =>
  commitAndDie(database.url, (tx) => appendEvents(tx, tenantId, borrowerIds.map(eligible)))

const countWaiting = async (tenantId: string) => {
  const rows = await database.db
    .selectFrom('unnumbered_events')
    .select('entry_id')
    .where('tenant_id', '=', tenantId)
    .execute()
  return rows.length
}

const makeOlder = (tenantId: string, seconds: number) =>
  database.db
    .updateTable('unnumbered_events')
    .set({ made_at: addMs(new Date(), -seconds * SECOND_MS) })
    .where('tenant_id', '=', tenantId)
    .execute()

const idsOf = async (tenantId: string) =>
  (await readEvents(database.db, tenantId)).map(({ resource }) => resource.id)

test('what a process left that died after its commit is numbered by the sweep, and delivered', async () => {
  const tenantId = await openTenant(database.db)
  const webhookId = await addWebhook(database.db, tenantId)
  await leaveUnnumbered(tenantId, 'bor_1', 'bor_2')
  expect(await readEvents(database.db, tenantId)).toEqual([])

  // A process may still be about to number them.
  await numberLeft(database.db)
  expect(await countWaiting(tenantId)).toBe(2)

  await makeOlder(tenantId, 2)
  wakes.length = 0
  await numberLeft(database.db)
  expect(await idsOf(tenantId)).toEqual(['bor_1', 'bor_2'])
  expect(await countWaiting(tenantId)).toBe(0)
  expect(await readDeliveries(database.db, webhookId)).toHaveLength(2)
  expect(wakes).toContainEqual({ kind: 'deliveries', tenantId, webhookId })
})

test('what was left comes before what is written after it, in one log without a gap', async () => {
  const tenantId = await openTenant(database.db)
  await leaveUnnumbered(tenantId, 'bor_1')
  await addEvents(database.db, tenantId, 1)
  await leaveUnnumbered(tenantId, 'bor_2')
  await leaveUnnumbered(tenantId, 'bor_3')
  await inTransaction(database.db, (tx) => appendEvents(tx, tenantId, [eligible('bor_4')]))
  const events = await readEvents(database.db, tenantId)
  expect(events.map(({ resource }) => resource.id)).toEqual([
    'bor_1',
    'bor_0',
    'bor_2',
    'bor_3',
    'bor_4',
  ])
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
})

test('events of a resource are in the order of their versions though the database’s clock was set back', async () => {
  const tenantId = await openTenant(database.db)
  await leaveUnnumbered(tenantId, 'bor_1')
  await leaveUnnumbered(tenantId, 'bor_other')
  await leaveUnnumbered(tenantId, 'bor_1')
  await database.db
    .updateTable('unnumbered_events')
    .set({ made_at: addMs(new Date(), -HOUR_MS) })
    .where('tenant_id', '=', tenantId)
    .where('resource_version', '=', 2n)
    .execute()
  await inTransaction(database.db, (tx) => numberEvents(tx, tenantId))
  const events = await readEvents(database.db, tenantId)
  expect(events.map((event) => [event.resource.id, event.resource_version])).toEqual([
    ['bor_1', 1],
    ['bor_1', 2],
    ['bor_other', 1],
  ])
})

test('the audit counts an event that has no number yet', async () => {
  const tenantId = await openTenant(database.db)
  await addEvents(database.db, tenantId, 1)
  await leaveUnnumbered(tenantId, 'bor_0')
  const findings = await audit(database.db, { hasSimulation: true })
  const versions = findings.filter(({ name }) => name === 'gapless-versions')
  expect(versions.flatMap(({ violations }) => violations)).toEqual([])
  expect(versions).toHaveLength(1)
})

test('a counter that is locked for long fails no change: its event is numbered later', async () => {
  const tenantId = await openTenant(database.db)
  const locked = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const holder = inTransaction(database.db, async (tx) => {
    await lockCounter(tx, tenantId)
    locked.resolve()
    await end.promise
  })
  await locked.promise
  // Longer than a lock is waited for.
  await addEvents(database.db, tenantId, 1)
  expect(await countWaiting(tenantId)).toBe(1)
  end.resolve()
  await holder
  await addEvents(database.db, tenantId, 1)
  expect((await readEvents(database.db, tenantId)).map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('a tenant whose counter is locked holds up no other', async () => {
  const held = await openTenant(database.db)
  const others = await Promise.all(Array.from({ length: 8 }, () => openTenant(database.db)))
  const locked = Promise.withResolvers<void>()
  const end = Promise.withResolvers<void>()
  const holder = inTransaction(database.db, async (tx) => {
    await lockCounter(tx, held)
    locked.resolve()
    await end.promise
  })
  await locked.promise
  let isHeldDone = false
  const ofHeld = addEvents(database.db, held, 1).then(() => {
    isHeldDone = true
  })
  for (let round = 0; round < 3; round += 1) {
    await Promise.all(others.map((tenantId) => addEvents(database.db, tenantId, 1)))
  }
  expect(isHeldDone).toBe(false)
  end.resolve()
  await Promise.all([ofHeld, holder])
  for (const tenantId of [held, ...others]) {
    const expected = tenantId === held ? [1] : [1, 2, 3]
    const events = await readEvents(database.db, tenantId)
    expect(events.map(({ sequence }) => sequence)).toEqual(expected)
  }
})

/** The next number is beyond what can be stored. */
const breakNumbering = (tenantId: string) =>
  database.db
    .updateTable('tenant_counters')
    .set({ last_sequence: 2n ** 63n - 1n })
    .where('tenant_id', '=', tenantId)
    .execute()

const sequencesOf = async (tenantId: string) =>
  (await readEvents(database.db, tenantId)).map(({ sequence }) => sequence)

test('tenants that fail to be numbered together are numbered one by one', async () => {
  const [broken, ...others] = [
    await openTenant(database.db),
    await openTenant(database.db),
    await openTenant(database.db),
  ]
  await breakNumbering(broken)
  for (const tenantId of [broken, ...others]) await leaveUnnumbered(tenantId, 'bor_1', 'bor_2')
  const numbered = [broken, ...others].map((tenantId) => numberCommitted(database.db, tenantId))
  expect((await Promise.allSettled(numbered)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
  for (const tenantId of others) expect(await sequencesOf(tenantId)).toEqual([1, 2])
  expect(await countWaiting(broken)).toBe(2)
})

test('a tenant whose events can never be numbered holds up no other, nor its own changes', async () => {
  const broken = await openTenant(database.db)
  const others = await Promise.all(Array.from({ length: 4 }, () => openTenant(database.db)))
  await breakNumbering(broken)
  for (let round = 0; round < 3; round += 1) {
    await Promise.all([broken, ...others].map((tenantId) => addEvents(database.db, tenantId, 1)))
  }
  expect(await countWaiting(broken)).toBe(3)
  for (const tenantId of others) expect(await sequencesOf(tenantId)).toEqual([1, 2, 3])

  for (const tenantId of others) await leaveUnnumbered(tenantId, 'bor_left')
  for (const tenantId of [broken, ...others]) await makeOlder(tenantId, 5)
  await expect(numberLeft(database.db)).rejects.toThrow('out of range')
  for (const tenantId of others) expect(await sequencesOf(tenantId)).toEqual([1, 2, 3, 4])
  await database.db.deleteFrom('unnumbered_events').where('tenant_id', '=', broken).execute()
})

test('the sweep asks no tenant whose node is away', async () => {
  await using own = await createTestDatabase()
  const [present, absent] = [await openTenant(own.db), await openTenant(own.db)]
  await sql`UPDATE stack SET distributed_at = now()`.execute(own.db)
  await insertAbsentTenants(own.db, [absent], new Date())
  for (const tenantId of [present, absent]) {
    await commitAndDie(own.url, (tx) => appendEvents(tx, tenantId, [eligible('bor_1')]))
  }
  expect(await numberLeft(own.db)).toBe(1)
  expect(await readEvents(own.db, present)).toHaveLength(1)
  expect(await readEvents(own.db, absent)).toEqual([])
})

test('numbers of many tenants given together have no gap, and each webhook gets the events after its registration', async () => {
  const tenantIds = await Promise.all(Array.from({ length: 5 }, () => openTenant(database.db)))
  const registered: { tenantId: string; webhookId: string }[] = []
  const write = async (tenantId: string) => {
    for (let round = 0; round < 10; round += 1) {
      await addEvents(database.db, tenantId, 1 + (round % 2))
      if (round !== 4) continue
      const webhookId = await inTransaction(database.db, async (tx) => {
        const id = await registerWebhook(
          tx,
          tenantId,
          { url: 'https://example.com/', eventTypes: [], label: undefined },
          { maxWebhooks: 10, now: new Date() },
        )
        await setTimeout(Math.random() * 4)
        return id
      })
      registered.push({ tenantId, webhookId })
    }
  }
  await Promise.all([...tenantIds, ...tenantIds, ...tenantIds].map(write))

  for (const tenantId of tenantIds) {
    const sequences = (await readEvents(database.db, tenantId)).map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: 45 }, (_, at) => at + 1))
  }
  expect(registered).toHaveLength(15)
  for (const { tenantId, webhookId } of registered) {
    const { registered_sequence: after } = await database.db
      .selectFrom('webhooks')
      .select('registered_sequence')
      .where('tenant_id', '=', tenantId)
      .where('webhook_id', '=', webhookId)
      .executeTakeFirstOrThrow()
    const delivered = (await readDeliveries(database.db, webhookId)).map((row) =>
      Number(row.sequence),
    )
    const expected = Array.from({ length: 45 - Number(after) }, (_, at) => Number(after) + at + 1)
    expect(delivered).toEqual(expected)
  }
})
