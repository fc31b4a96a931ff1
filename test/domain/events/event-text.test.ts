import { hash as digest } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction, runInSavepoint } from '../../../src/db/database.ts'
import { execute } from '../../../src/db/transactions/execute.ts'
import { appendEvents, type EventToAppend } from '../../../src/domain/events/append/append.ts'
import { lockCounter } from '../../../src/domain/events/append/append-queries.ts'
import { addEvents, addWebhook, eligible } from '../../support/deliveries/deliveries.ts'
import { insertFacilities } from '../../support/lending/facility-rows.ts'
import { openTenant, readEvents } from '../../support/lending/onboarding.ts'
import { createTestDatabase } from '../../support/stores/database.ts'
import { openDatabaseWithWakes } from '../../support/stores/database-with-wakes.ts'

const database = openDatabaseWithWakes(16)

const at = new Date('2026-11-20T10:00:00.000Z')
const sha256 = (data: string | Buffer) => digest('sha256', data, 'buffer')
const countTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
const pick = <T>(list: readonly T[]) => list[Math.floor(Math.random() * list.length)] as T

/** Quotes, backslashes, controls and characters of one to four bytes. */
const anyText = () =>
  Array.from({ length: Math.floor(Math.random() * 20) }, () =>
    pick(['a', '"', '\\', '\n', '\u0001', 'é', 'ß', '中', '𝄞', '{', '}', "'", '%', '$1']),
  ).join('')

function anyEvent(facilityIds: readonly string[]): EventToAppend {
  const id = anyText()
  const facilityId = pick(facilityIds)
  const occurredAt = new Date(Math.floor(Math.random() * 4e12))
  return pick<EventToAppend>([
    { ...eligible(id || 'bor_1'), occurredAt },
    {
      type: 'facility.closed',
      resource: { type: 'facility', id: facilityId },
      occurredAt,
      data: { facility_id: facilityId, closed_at: anyText(), reason: 'repaid' },
    },
    {
      type: 'draw.completed',
      resource: { type: 'draw', id: `drw_${id}` },
      occurredAt,
      data: { facility_id: facilityId, reference: anyText() } as never,
    },
  ])
}

async function openFacilities(tenantId: string, count: number): Promise<string[]> {
  const terms = { positions: {}, principalCents: 0n, accruedAt: at }
  return await insertFacilities(database.db, tenantId, Array(count).fill(terms))
}

const bind = (tenantId: string, facilityId: string, record: string) =>
  database.db
    .insertInto('unbound_records')
    .values({ tenant_id: tenantId, facility_id: facilityId, record })
    .execute()

test('number, version, text and hash of 10,000 events are those that JavaScript makes of them', async () => {
  const tenantId = await openTenant(database.db)
  const facilityIds = await openFacilities(tenantId, 8)
  const given: EventToAppend[] = []
  const boundTo: (string[] | undefined)[] = []
  while (given.length < 10_000) {
    const events = countTo(1 + Math.floor(Math.random() * 40)).map(() => anyEvent(facilityIds))
    const bound = new Map<string, string[]>()
    for (const facilityId of facilityIds.filter(() => Math.random() < 0.2)) {
      const records = [`journal b${given.length}`, `journal a${given.length}`]
      for (const record of records) await bind(tenantId, facilityId, record)
      bound.set(facilityId, records.sort())
    }
    await inTransaction(database.db, (tx) => {
      appendEvents(tx, tenantId, events.slice(0, 5))
      appendEvents(tx, tenantId, events.slice(5))
    })
    for (const event of events) {
      const facilityId = 'facility_id' in event.data ? event.data.facility_id : ''
      boundTo.push(bound.get(facilityId))
      bound.delete(facilityId)
    }
    given.push(...events)
    // Those of facilities without an event wait for one.
    await database.db.deleteFrom('unbound_records').where('tenant_id', '=', tenantId).execute()
  }

  const rows = await database.db
    .selectFrom('events')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
  expect(rows).toHaveLength(given.length)
  const versions = new Map<string, number>()
  let last = Buffer.alloc(32)
  let recordedAt = 0
  for (const [index, row] of rows.entries()) {
    const { type, occurredAt, resource, data } = given[index] as EventToAppend
    const name = `${resource.type} ${resource.id}`
    const version = (versions.get(name) ?? 0) + 1
    versions.set(name, version)
    const records = boundTo[index]
    const body = JSON.stringify({
      id: row.event_id,
      type,
      occurred_at: occurredAt.toISOString(),
      resource_version: version,
      resource: { type: resource.type, id: resource.id },
      sequence: index + 1,
      data,
      ...(records && { records: sha256(records.join('\n')).toString('hex') }),
    })
    const sequence = Buffer.alloc(8)
    sequence.writeBigInt64BE(BigInt(index + 1))
    const hash = sha256(Buffer.concat([last, sequence, sha256(body)]))
    const expected = { body, hash, previous_hash: last, records: records ?? null }
    if (row.body !== body || !row.hash.equals(hash)) expect(row).toMatchObject(expected)
    expect(row.records ?? undefined).toEqual(records)
    expect(row.resource_version).toBe(BigInt(version))
    expect(row.recorded_at.getTime()).toBeGreaterThanOrEqual(recordedAt)
    recordedAt = row.recorded_at.getTime()
    last = hash
  }
  const counter = await database.db
    .selectFrom('tenant_counters')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  expect(counter).toMatchObject({ last_sequence: BigInt(given.length), last_hash: last })
})

test('an event of a facility has its borrower, whether the data name them or not', async () => {
  const tenantId = await openTenant(database.db)
  const [facilityId = ''] = await openFacilities(tenantId, 1)
  const about = { type: 'facility', id: facilityId } as const
  const data = { facility_id: facilityId, closed_at: at.toISOString(), reason: 'repaid' } as const
  const closed = { type: 'facility.closed', resource: about, occurredAt: at, data } as const
  await inTransaction(database.db, (tx) => appendEvents(tx, tenantId, [closed, eligible('bor_1')]))
  const { borrower_id: borrowerId } = await database.db
    .selectFrom('facilities')
    .select('borrower_id')
    .where('facility_id', '=', facilityId)
    .executeTakeFirstOrThrow()
  const rows = await database.db
    .selectFrom('events')
    .select(['facility_id', 'borrower_id'])
    .where('tenant_id', '=', tenantId)
    .orderBy('sequence')
    .execute()
  expect(rows).toEqual([
    { facility_id: facilityId, borrower_id: borrowerId },
    { facility_id: null, borrower_id: 'bor_1' },
  ])
})

test('what is appended in a part that is undone is no event', async () => {
  const tenantId = await openTenant(database.db)
  await inTransaction(database.db, async (tx) => {
    appendEvents(tx, tenantId, [eligible('bor_1')])
    for (const isKept of [false, true]) {
      await runInSavepoint(tx, async () => {
        appendEvents(tx, tenantId, [eligible(isKept ? 'bor_kept' : 'bor_undone')])
        return isKept
      })
    }
  })
  const events = await readEvents(database.db, tenantId)
  expect(events.map(({ resource }) => resource.id)).toEqual(['bor_1', 'bor_kept'])
})

test('a change whose counter stays locked fails whole, and uses no number', async () => {
  const tenantId = await openTenant(database.db)
  const holding = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holder = inTransaction(database.db, async (tx) => {
    await execute(tx, lockCounter({ tenantId }))
    locked.resolve()
    await holding.promise
  })
  await locked.promise
  await expect(addEvents(database.db, tenantId, 1)).rejects.toThrow('lock timeout')
  holding.resolve()
  await holder
  expect(await readEvents(database.db, tenantId)).toEqual([])
  await addEvents(database.db, tenantId, 1)
  expect((await readEvents(database.db, tenantId)).map(({ sequence }) => sequence)).toEqual([1])
})

test('a tenant whose counter is locked holds up no other', async () => {
  const held = await openTenant(database.db)
  const other = await openTenant(database.db)
  await inTransaction(database.db, async (tx) => {
    await execute(tx, lockCounter({ tenantId: held }))
    await addEvents(database.db, other, 1)
  })
  expect(await readEvents(database.db, other)).toHaveLength(1)
})

test('each statement is planned a few times a connection, and not for each event', async () => {
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
