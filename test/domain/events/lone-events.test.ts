import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../../src/db/database.ts'
import { appendEvents, type EventToAppend } from '../../../src/domain/events/append-event.ts'
import { eligible } from '../../support/deliveries/deliveries.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { openDatabaseWithWakes } from '../../support/stores/database-with-wakes.ts'

const database = openDatabaseWithWakes(16)

const at = new Date('2026-11-20T10:00:00.000Z')

const closed = (facilityId: string): EventToAppend => ({
  type: 'facility.closed',
  resource: { type: 'facility', id: facilityId },
  occurredAt: at,
  data: { facility_id: facilityId, closed_at: at.toISOString(), reason: 'repaid' },
})

const UNDONE = new Error('undone')

/** What the call writes, but for what differs with each call; the transaction is rolled back. */
async function readWritten(tenantId: string, events: readonly EventToAppend[]) {
  let written: unknown
  const run = inTransaction(database.db, async (tx) => {
    await appendEvents(tx, tenantId, events)
    const { rows } = await sql`
      SELECT to_jsonb(e) - 'entry_id' - 'made_at' - 'place' AS event,
        made_at > now() AS is_made_later,
        (SELECT count(*) FROM unbound_records WHERE tenant_id = e.tenant_id) AS unbound
      FROM unnumbered_events e WHERE tenant_id = ${tenantId} ORDER BY place`.execute(tx)
    written = rows[0]
    throw UNDONE
  })
  await run.catch((error: unknown) => {
    if (error !== UNDONE) throw error
  })
  return written
}

async function openFacility(tenantId: string): Promise<string> {
  const terms = { positions: {}, principalCents: 0n, accruedAt: at }
  const [facilityId = ''] = await insertFacilities(database.db, tenantId, [terms])
  for (const record of ['journal 2', 'journal 1']) {
    await database.db
      .insertInto('unbound_records')
      .values({ tenant_id: tenantId, facility_id: facilityId, record })
      .execute()
  }
  return facilityId
}

test('an event of a facility that comes alone is written as the first of several, with its borrower and the records that it binds', async () => {
  const tenantId = await openTenant(database.db)
  const event = closed(await openFacility(tenantId))
  const alone = await readWritten(tenantId, [event])
  expect(alone).toEqual(await readWritten(tenantId, [event, eligible('bor_other')]))
  expect(alone).toMatchObject({
    event: {
      borrower_id: expect.stringMatching(/^bor_/),
      records: ['journal 1', 'journal 2'],
      resource_version: 1,
    },
    is_made_later: true,
    unbound: 0n,
  })
})

test('an event of a borrower that comes alone is written as the first of several', async () => {
  const tenantId = await openTenant(database.db)
  await openFacility(tenantId)
  const event = eligible('bor_1')
  const alone = await readWritten(tenantId, [event])
  expect(alone).toEqual(await readWritten(tenantId, [event, eligible('bor_other')]))
  expect(alone).toMatchObject({
    event: { borrower_id: 'bor_1', facility_id: null, records: null },
    unbound: 2n,
  })
})

test('events of one resource that are written alone at the same time are numbered in the order of their versions', async () => {
  const tenantId = await openTenant(database.db)
  const count = 60
  await Promise.all(
    Array.from({ length: count }, (_, writer) =>
      inTransaction(database.db, (tx) =>
        appendEvents(tx, tenantId, [writer % 2 === 0 ? eligible('bor_1') : eligible('bor_2')]),
      ),
    ),
  )
  const events = await readEvents(database.db, tenantId)
  for (const id of ['bor_1', 'bor_2']) {
    const versions = events.filter(({ resource }) => resource.id === id)
    expect(versions.map((event) => event.resource_version)).toEqual(
      Array.from({ length: count / 2 }, (_, version) => version + 1),
    )
  }
})
