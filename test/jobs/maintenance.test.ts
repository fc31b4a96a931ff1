import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addMs, DAY_MS } from '../../src/core/time.ts'
import { inSnapshot } from '../../src/db/database.ts'
import { maintainPartitions } from '../../src/db/migrate.ts'
import { maintainUntil } from '../../src/jobs/maintenance.ts'
import { createResources } from '../../src/resources.ts'
import { testConfig } from '../support/config.ts'
import { createTestDatabase } from '../support/database.ts'
import { addEvents } from '../support/deliveries.ts'
import { openTenant } from '../support/onboarding.ts'
import { testRedisUrl } from '../support/redis.ts'

test('maintenance drops months of the event log past their retention and makes those to come', async () => {
  await using open = new AsyncDisposableStack()
  const { db, url: databaseUrl } = open.use(await createTestDatabase())
  const resources = createResources(testConfig({ databaseUrl, redisUrl: await testRedisUrl() }))
  open.defer(() => resources.dispose())
  // Long past, for a month that has not ended by the database's own clock is never dropped.
  const now = new Date('2021-05-20T12:00:00.000Z')
  // As if it had last been done in January.
  await maintainPartitions(db, addMs(now, -120 * DAY_MS), new Date(0))

  const stop = new AbortController()
  const context = { ...resources, clock: () => now, lanes: { wake: () => undefined } }
  await maintainUntil(stop.signal, context as never, () => stop.abort())

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
  'a month whose %s are read for long is left whole, and events are written meanwhile',
  async (base) => {
    await using database = await createTestDatabase()
    const { db } = database
    const tenantId = await openTenant(db)
    const now = new Date()
    await maintainPartitions(db, addMs(now, -150 * DAY_MS), new Date(0))
    const keepAfter = addMs(now, -90 * DAY_MS)
    const inUse = await inSnapshot(db, { seconds: 10 }, async (reader) => {
      await sql`SELECT count(*) FROM ${sql.table(base)}`.execute(reader)
      const [maintained] = await Promise.all([
        maintainPartitions(db, now, keepAfter),
        addEvents(db, tenantId, 1),
      ])
      return maintained.inUse
    })
    const basesLeft = new Set(inUse.map((name) => name.slice(0, -'_YYYY_MM'.length)))
    expect([...basesLeft].sort()).toEqual(['deliveries', 'delivery_attempts', 'events'])
    expect(await maintainPartitions(db, now, keepAfter)).toEqual({ inUse: [] })
  },
)
