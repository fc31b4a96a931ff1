import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { type Db, inTransaction } from '../../src/db/database.ts'
import { dropMonths, makeMonths } from '../../src/db/migrate/months.ts'
import { dropSpans, makeSpans } from '../../src/db/migrate/spans.ts'
import { inSnapshot } from '../../src/db/transactions/snapshot.ts'
import { deleteWebhook, purgeWebhooks } from '../../src/domain/webhooks/webhooks.ts'
import { runMaintenance } from '../../src/jobs/maintenance.ts'
import { createResources } from '../../src/process/resources.ts'
import { addEvents, addWebhook } from '../support/deliveries/deliveries.ts'
import { openTenant } from '../support/lending/onboarding.ts'
import { testConfig } from '../support/process/config.ts'
import { waitFor } from '../support/process/patience.ts'
import { createTestDatabase } from '../support/stores/database.ts'
import { testRedisUrl } from '../support/stores/redis.ts'

test('maintenance drops months of the event log past their retention and makes those to come', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const resources = createResources(testConfig({ databaseUrl, redisUrl: await testRedisUrl() }))
  open.defer(() => resources.dispose())
  // Long past, for a month that has not ended by the database's own clock is never dropped.
  const now = new Date('2021-05-20T12:00:00.000Z')
  // As if it had last been done in January.
  await makeMonths(db, addMs(now, -120 * DAY_MS), new Date(0))

  const stop = new AbortController()
  const context = { ...resources, clock: () => now, lanes: { wake: () => undefined } }
  await runMaintenance(stop.signal, context as never, () => stop.abort())

  const tables = await db.introspection.getTables()
  const monthsOf = (base: string) =>
    tables
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`${base}_202`) && name < `${base}_2022`)
      .sort()
  const kept = ['02', '03', '04', '05', '06', '07', '08'].map((month) => `_2021_${month}`)
  for (const base of ['events', 'deliveries', 'delivery_attempts']) {
    expect(monthsOf(base)).toEqual(kept.map((month) => base + month))
  }
})

test.each(['events', 'deliveries', 'delivery_attempts'])(
  'a month with %s that are read for long is left whole, and events are written meanwhile',
  async (base) => {
    await using database = await createTestDatabase()
    const { db } = database
    const tenantId = await openTenant(db)
    const now = new Date()
    await makeMonths(db, addMs(now, -150 * DAY_MS), new Date(0))
    const keepAfter = addMs(now, -90 * DAY_MS)
    const inUse = await inSnapshot(db, { seconds: 10 }, async (reader) => {
      await sql`SELECT count(*) FROM ${sql.table(base)}`.execute(reader)
      const [maintained] = await Promise.all([
        dropMonths(db, keepAfter),
        addEvents(db, tenantId, 1),
      ])
      return maintained.inUse
    })
    const basesLeft = new Set(inUse.map((name) => name.slice(0, -'_YYYY_MM'.length)))
    expect([...basesLeft].sort()).toEqual(['deliveries', 'delivery_attempts', 'events'])
    expect(await dropMonths(db, keepAfter)).toEqual({ inUse: [] })
  },
)

test('months are dropped once statistics of the catalogue have been taken', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const now = new Date()
  await makeMonths(db, addMs(now, -150 * DAY_MS), new Date(0))
  // The planner may then read the names of all tables before it knows which are months.
  await sql`VACUUM (ANALYZE)`.execute(db)
  const keepAfter = addMs(now, -90 * DAY_MS)
  const months = await countMonths(db)
  expect(await dropMonths(db, keepAfter)).toEqual({ inUse: [] })
  expect(await countMonths(db)).toBeLessThan(months)
})

test('maintenance makes days ahead and drops those past their retention, each table by its own', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const resources = createResources(testConfig({ databaseUrl, redisUrl: await testRedisUrl() }))
  open.defer(() => resources.dispose())
  const now = new Date('2021-05-20T12:00:00.000Z')
  for (let ago = 30; ago > 0; ago -= 1) await makeSpans(db, addMs(now, -ago * DAY_MS))
  await makeSpans(db, addMs(now, -430 * DAY_MS))

  const stop = new AbortController()
  const context = { ...resources, clock: () => now, lanes: { wake: () => undefined } }
  await runMaintenance(stop.signal, context as never, () => stop.abort())

  const tables = await db.introspection.getTables()
  const spansOf = (base: string) =>
    tables
      .map(({ name }) => name)
      .filter((name) => name.startsWith(`${base}_20`) && name < `${base}_2022`)
      .map((name) => name.slice(base.length + 1))
      .sort()
  const days = (first: number, last: number) =>
    Array.from(
      { length: last - first + 1 },
      (_, n) => `2021_05_${String(first + n).padStart(2, '0')}`,
    )
  expect(spansOf('request_log')).toEqual(days(13, 23))
  expect(spansOf('facility_ltv_hours')).toEqual(days(6, 23))
  expect(spansOf('facility_ltv_days')).toEqual(
    ['2020_04', '2020_05', '2020_06'].concat(
      ['03', '04', '05', '06', '07', '08'].map((m) => `2021_${m}`),
    ),
  )
})

test('a day of the request log that is read for long stays, and another call drops it', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const past = new Date('2021-05-20T12:00:00.000Z')
  await makeSpans(db, past)
  const keepAfter = addMs(past, 30 * DAY_MS)
  await inSnapshot(db, { seconds: 10 }, async (reader) => {
    await sql`SELECT count(*) FROM request_log`.execute(reader)
    expect(await dropSpans(db, 'request_log', keepAfter)).toBe(false)
  })
  expect(await dropSpans(db, 'request_log', keepAfter)).toBe(true)
})

test('no day that has not ended by the clock of the database is dropped', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  expect(await dropSpans(db, 'request_log', new Date('2999-01-01T00:00:00.000Z'))).toBe(true)
  const tables = await db.introspection.getTables()
  const today = new Date().toISOString().slice(0, 10).replaceAll('-', '_')
  expect(tables.map(({ name }) => name)).toContain(`request_log_${today}`)
})

const MONTHLY = [
  'events',
  'deliveries',
  'delivery_attempts',
  'journal',
  'margin_decisions',
  'margin_evaluations',
]

async function countMonths(db: Db): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    SELECT count(*) FROM pg_inherits
    WHERE inhparent = ANY (${MONTHLY}::regclass[])`.execute(db)
  return Number(rows[0]?.count)
}

test('months are made while every table is read for long, and no session waits behind that', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  await addWebhook(db, tenantId)
  const before = await countMonths(db)
  await inSnapshot(db, { seconds: 10 }, async (reader) => {
    for (const base of MONTHLY) await sql`SELECT count(*) FROM ${sql.table(base)}`.execute(reader)
    await Promise.all([
      makeMonths(db, addMs(new Date(), 62 * DAY_MS), new Date(0)),
      addEvents(db, tenantId, 1),
    ])
  })
  expect(await countMonths(db)).toBeGreaterThanOrEqual(before + 2 * MONTHLY.length)
})

test('a month with a lock that a writer holds is tried again until it can be made', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const before = await countMonths(db)
  let made: Promise<void> | undefined
  await inTransaction(db, async (writer) => {
    // As an entry that is being booked locks it.
    await sql`LOCK TABLE journal_entries IN ROW EXCLUSIVE MODE`.execute(writer)
    made = makeMonths(db, addMs(new Date(), 31 * DAY_MS), new Date(0))
    // The months of the log need no lock of entries, the journal's waits for it.
    await waitFor(async () => expect(await countMonths(db)).toBe(before + 3))
  })
  await made
  expect(await countMonths(db)).toBeGreaterThanOrEqual(before + MONTHLY.length)
})

test('a step of maintenance that fails raises a metric, and the others are done', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const resources = createResources(testConfig({ databaseUrl, redisUrl: await testRedisUrl() }))
  open.defer(() => resources.dispose())
  const tenantId = await openTenant(db)
  const rows = Array.from({ length: 2_100 }, (_, index) => ({
    tenant_id: tenantId,
    provider: 'kyc' as const,
    callback_id: `${index}`,
    received_at: addMs(new Date(), index < 2_001 ? -31 * DAY_MS : -DAY_MS),
  }))
  await db.insertInto('provider_callbacks').values(rows).execute()
  let isBroken = true
  const context = {
    ...resources,
    lanes: { wake: () => undefined },
    forgetSandboxCalls: async (before: Date) => {
      if (isBroken) throw new Error('no')
      return await resources.forgetSandboxCalls(before)
    },
  }
  const maintain = async () => {
    const stop = new AbortController()
    await runMaintenance(stop.signal, context as never, () => stop.abort())
    const { values } = await resources.metrics.maintenanceFailed.get()
    return values.filter(({ value }) => value !== 0).map(({ labels }) => labels.step)
  }
  await sql`ALTER TABLE idempotency_records RENAME TO elsewhere`.execute(db)
  expect(await maintain()).toEqual(['idempotency-records', 'sandbox-calls'])
  expect(await db.selectFrom('provider_callbacks').select('callback_id').execute()).toHaveLength(99)
  await sql`ALTER TABLE elsewhere RENAME TO idempotency_records`.execute(db)
  isBroken = false
  expect(await maintain()).toEqual([])
})

test('the row of a deleted webhook goes once nothing of it is left, and no other does', async () => {
  await using database = await createTestDatabase()
  const { db } = database
  const tenantId = await openTenant(db)
  const [bare = '', used = '', lasting = ''] = [
    await addWebhook(db, tenantId),
    await addWebhook(db, tenantId, { eventTypes: ['borrower.eligible'] }),
    await addWebhook(db, tenantId),
  ]
  const longAgo = addMs(new Date(), -120 * DAY_MS)
  await inTransaction(db, (tx) => deleteWebhook(tx, tenantId, bare, () => longAgo))
  await addEvents(db, tenantId, 1)
  await inTransaction(db, (tx) => deleteWebhook(tx, tenantId, used, () => longAgo))
  expect(await purgeWebhooks(db, addMs(longAgo, -1))).toBe(0)
  expect(await purgeWebhooks(db, addMs(longAgo, 1))).toBe(1)
  const left = await db.selectFrom('webhooks').select('webhook_id').execute()
  expect(left.map(({ webhook_id }) => webhook_id).sort()).toEqual([used, lasting].sort())
})
