import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { deliveredBody, verifyEventChain } from '../../src/client/verify-chain.ts'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { dropMonths, makeMonths } from '../../src/db/migrate/months.ts'
import { audit } from '../../src/domain/audit/audit.ts'
import { appendEvents } from '../../src/domain/events/append/append.ts'
import { queryEventsAbout } from '../../src/domain/events/log/log-queries.ts'
import { apiForFile, type TestKey, type TestTenant } from '../support/api/api.ts'
import { addEstate, type Estate } from '../support/api/estate.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { deliverDue } from '../support/deliveries/deliver-due.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

const api = apiForFile({ resolveHost: async () => [] })

const OCCURRED_AT = new Date('2026-11-20T10:00:00.000Z')

type Kind = 'eligible' | 'closed'

/** Appends events of these kinds, each about a resource of its own. */
async function append(tenant: TestTenant, ...kinds: Kind[]): Promise<void> {
  const events = kinds.map((kind) => (kind === 'eligible' ? eligible() : closed()))
  await inTransaction(api.db, (tx) => appendEvents(tx, tenant.id, events))
}

function eligible(id = newId('bor')) {
  return {
    type: 'borrower.eligible' as const,
    resource: { type: 'borrower' as const, id },
    occurredAt: OCCURRED_AT,
    data: { borrower_id: id },
  }
}

function closed(id = newId('fac')) {
  return {
    type: 'facility.closed' as const,
    resource: { type: 'facility' as const, id },
    occurredAt: OCCURRED_AT,
    data: { facility_id: id, closed_at: OCCURRED_AT.toISOString(), reason: 'repaid' as const },
  }
}

async function register(key: TestKey, body: Record<string, unknown> = {}): Promise<string> {
  const given = { url: 'https://hooks.example.com/', ...body }
  return (await key.send('POST', '/v1/webhooks', { body: given })).json().id
}

const read = async (key: TestKey, target: string) => (await key.send('GET', target)).json()

const sequences = (page: { items: { sequence: number }[] }) =>
  page.items.map(({ sequence }) => sequence)

describe('the event log filtered by what events are about', () => {
  let tenant: TestTenant
  let estate: Estate
  beforeAll(async () => {
    tenant = await api.addTenant()
    estate = await addEstate(api, tenant)
    const { facilityId, drawId } = estate
    const drawn = {
      type: 'draw.completed' as const,
      resource: { type: 'draw' as const, id: drawId },
      occurredAt: OCCURRED_AT,
      data: {
        facility_id: facilityId,
        draw_id: drawId,
        amount: { amount: '1.00', asset: 'USD' },
        reference: 'wire',
        completed_at: OCCURRED_AT.toISOString(),
      },
    }
    const cured = {
      type: 'margin_warning.cured' as const,
      resource: { type: 'margin_warning' as const, id: `${facilityId}/1` },
      occurredAt: OCCURRED_AT,
      data: {
        facility_id: facilityId,
        number: 1,
        cured_at: OCCURRED_AT.toISOString(),
        cured_by: 'price' as const,
        ltv: '0.5',
        latest_ltv: '0.5',
      },
    }
    // 1 is the estate's borrower.eligible, 4 and 5 are of others.
    const others = [eligible(), closed()]
    await inTransaction(api.db, (tx) => appendEvents(tx, tenant.id, [drawn, cured, ...others]))
    await inTransaction(api.db, (tx) => appendEvents(tx, tenant.id, [closed(facilityId)]))
  })

  const expected: [name: string, query: (of: Estate) => string, sequences: number[]][] = [
    ['resource', (of) => `resource_id=${of.drawId}`, [2]],
    ['margin warning', (of) => `resource_id=${of.facilityId}/1`, [3]],
    ['facility', (of) => `facility_id=${of.facilityId}`, [2, 3, 6]],
    ['borrower, its facilities included', (of) => `borrower_id=${of.borrowerId}`, [1, 2, 3, 6]],
    ['facility and type', (of) => `facility_id=${of.facilityId}&type=draw.completed`, [2]],
    [
      'borrower and resource',
      (of) => `borrower_id=${of.borrowerId}&resource_id=${of.facilityId}`,
      [6],
    ],
    ['borrower of another facility', () => `borrower_id=${newId('bor')}`, []],
  ]

  test.each(expected)(
    'the event log filtered by what events are about shows the events of one %s',
    async (_name, query, numbers) => {
      expect(sequences(await read(tenant, `/v1/events?${query(estate)}`))).toEqual(numbers)
    },
  )

  test.each(expected)(
    'the event log filtered by what events are about shows nothing of them to another tenant by its %s',
    async (_name, query) => {
      const stranger = await api.addTenant()
      expect((await read(stranger, `/v1/events?${query(estate)}`)).items).toEqual([])
    },
  )

  test('event logs with different filters refuse each other’s cursors', async () => {
    const filter = `facility_id=${estate.facilityId}`
    const first = await read(tenant, `/v1/events?${filter}&limit=2`)
    expect(first).toMatchObject({ has_more: true })
    const from = `from=${first.next_cursor}`
    expect(sequences(await read(tenant, `/v1/events?${filter}&${from}`))).toEqual([6])
    for (const other of ['', `${filter}&type=facility.closed&`, `borrower_id=${newId('bor')}&`]) {
      const refused = await tenant.send('GET', `/v1/events?${other}${from}`)
      expectProblem(refused, 400, 'cursor_invalid')
    }
  })

  test.each([
    ['resource_id', { resourceId: 'x' }],
    ['facility_id', { facilityId: 'x' }],
    ['borrower_id', { borrowerId: 'x' }],
  ])(
    'the event log filtered by what events are about is read by an index that %s leads',
    async (column, about) => {
      const page = { after: 0n, types: [], limit: 101 }
      const busy = await api.addTenant()
      await sql`INSERT INTO events (tenant_id, event_id, sequence, type, resource_type, resource_id,
        resource_version, occurred_at, recorded_at, body, previous_hash, hash, facility_id, borrower_id)
      SELECT ${busy.id}, 'evt_' || n, n, 'facility.closed', 'facility', 'fac_' || n, 1, now(), now(),
        '{}', '', '', 'fac_' || n, 'bor_' || n FROM generate_series(1, 3000) n`.execute(api.db)
      await sql`ANALYZE events`.execute(api.db)
      const rows = await queryEventsAbout(api.db, busy.id, about, page).explain()
      await sql`DELETE FROM events WHERE tenant_id = ${busy.id}`.execute(api.db)
      const plan = rows.map((row) => Object.values(row)[0]).join('\n')
      const conditions = [...plan.matchAll(/Index Cond: (.*)/g)].map(([, condition]) => condition)
      expect(conditions.length).toBeGreaterThan(0)
      // Empty months have no statistics to plan by.
      const month = new Date().toISOString().slice(0, 7).replace('-', '_')
      const scan = plan.slice(plan.indexOf(`events_${month}`))
      expect(/Index Cond: (.*)/.exec(scan)?.[1]).toContain(column)
    },
  )

  test.each(['facility_id=x', 'borrower_id=fac_1', 'resource_id=evt_01k9x4m2q8e0tb7f2v5j6h8n3c'])(
    'the event log filtered by what events are about refuses %s, which is no such id',
    async (query) => {
      expectProblem(await tenant.send('GET', `/v1/events?${query}`), 422, 'validation_failed')
    },
  )
})

test('the event log shows each event in its envelope, in order, numbered from 1', async () => {
  const tenant = await api.addTenant()
  const id = newId('bor')
  const events = [eligible(id), eligible(id), closed()]
  await inTransaction(api.db, (tx) => appendEvents(tx, tenant.id, events))
  const page = await read(tenant, '/v1/events')
  expect(page).toEqual({
    items: [expect.anything(), expect.anything(), expect.anything()],
    next_cursor: expect.any(String),
    has_more: false,
  })
  expect(page.items[1]).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
    type: 'borrower.eligible',
    occurred_at: '2026-11-20T10:00:00.000Z',
    resource_version: 2,
    resource: { type: 'borrower', id },
    sequence: 2,
    data: { borrower_id: id },
    previous_hash: page.items[0].hash,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  expect(sequences(page)).toEqual([1, 2, 3])
})

test('the event log can be read by type', async () => {
  const tenant = await api.addTenant()
  await append(tenant, 'eligible', 'closed', 'eligible', 'closed')
  expect(sequences(await read(tenant, '/v1/events?type=facility.closed'))).toEqual([2, 4])
  expect((await tenant.send('GET', '/v1/events?type=facility.open')).status).toBe(422)
})

test('the event log is read page by page, and from the last page’s cursor once there is more', async () => {
  const tenant = await api.addTenant()
  await append(tenant, 'eligible', 'eligible', 'eligible')
  const first = await read(tenant, '/v1/events?limit=2')
  expect([sequences(first), first.has_more]).toEqual([[1, 2], true])
  const last = await read(tenant, `/v1/events?limit=2&from=${first.next_cursor}`)
  expect([sequences(last), last.has_more]).toEqual([[3], false])
  const nothing = await read(tenant, `/v1/events?from=${last.next_cursor}`)
  expect([nothing.items, nothing.has_more]).toEqual([[], false])

  await append(tenant, 'closed')
  expect(sequences(await read(tenant, `/v1/events?from=${nothing.next_cursor}`))).toEqual([4])
})

test('the event log that is empty has a cursor to resume from', async () => {
  const tenant = await api.addTenant()
  const empty = await read(tenant, '/v1/events')
  expect(empty).toEqual({ items: [], next_cursor: expect.any(String), has_more: false })
  await append(tenant, 'eligible')
  expect(sequences(await read(tenant, `/v1/events?from=${empty.next_cursor}`))).toEqual([1])
})

test('the event log takes limits from 1 to 500 and gives 100 items without one', async () => {
  const tenant = await api.addTenant()
  await append(tenant, ...Array.from({ length: 501 }, () => 'eligible' as const))
  for (const [query, length] of [
    ['?limit=1', 1],
    ['', 100],
    ['?limit=500', 500],
  ] as const) {
    const page = await read(tenant, `/v1/events${query}`)
    expect([query, page.items.length, page.has_more]).toEqual([query, length, true])
  }
})

test('an event is shown with what became of it at each webhook', async () => {
  await using endpoint = await startEndpoint(() => ({ status: 200, body: 'thanks' }))
  const tenant = await api.addTenant()
  const webhookId = await register(tenant, { url: endpoint.url })
  await append(tenant, 'eligible')
  await deliverDue(api.resources, tenant.id, webhookId)
  const [item] = (await read(tenant, '/v1/events')).items
  expect(await read(tenant, `/v1/events/${item.id}`)).toEqual({
    ...item,
    deliveries: [
      {
        webhook_id: webhookId,
        event_id: item.id,
        event_type: 'borrower.eligible',
        state: 'delivered',
        attempts: [
          {
            number: 1,
            at: expect.stringMatching(/Z$/),
            status: 200,
            duration_ms: expect.any(Number),
            response_excerpt: 'thanks',
            requested: false,
          },
        ],
      },
    ],
  })
  // An event that is read, less its hashes, is the one that was delivered, byte for byte.
  expect(deliveredBody(item)).toBe(endpoint.seen[0]?.rawBody)
})

test('a replay through a webhook gives the subscribed types alone, from the registration on', async () => {
  const tenant = await api.addTenant()
  await append(tenant, 'closed', 'eligible')
  const everything = await register(tenant)
  const closings = await register(tenant, { event_types: ['facility.closed', 'draw.failed'] })
  await append(tenant, 'eligible', 'closed', 'closed')
  expect(sequences(await read(tenant, `/v1/webhooks/${everything}/events`))).toEqual([3, 4, 5])
  expect(sequences(await read(tenant, `/v1/webhooks/${closings}/events`))).toEqual([4, 5])
})

test('a replay through a webhook goes on where the last page ended, whatever was delivered', async () => {
  const tenant = await api.addTenant()
  const id = await register(tenant, { event_types: ['facility.closed'] })
  await append(tenant, 'closed', 'eligible', 'closed', 'closed')
  const first = await read(tenant, `/v1/webhooks/${id}/events?limit=1`)
  expect([sequences(first), first.has_more]).toEqual([[1], true])
  const second = await read(tenant, `/v1/webhooks/${id}/events?limit=2&from=${first.next_cursor}`)
  expect([sequences(second), second.has_more]).toEqual([[3, 4], false])
  await append(tenant, 'eligible', 'closed')
  const third = await read(tenant, `/v1/webhooks/${id}/events?from=${second.next_cursor}`)
  expect(sequences(third)).toEqual([6])
})

test('a replay through a webhook of a disabled webhook goes on', async () => {
  const tenant = await api.addTenant()
  const id = await register(tenant)
  await append(tenant, 'eligible')
  await api.db
    .updateTable('webhooks')
    .set({ state: 'disabled', disabled_at: new Date() })
    .where('webhook_id', '=', id)
    .execute()
  await append(tenant, 'closed')
  expect(sequences(await read(tenant, `/v1/webhooks/${id}/events`))).toEqual([1, 2])
})

test('a replay through a webhook of a deleted webhook is over, while the log keeps its events', async () => {
  const tenant = await api.addTenant()
  const id = await register(tenant)
  await append(tenant, 'eligible')
  const { next_cursor: cursor } = await read(tenant, `/v1/webhooks/${id}/events`)
  await tenant.send('DELETE', `/v1/webhooks/${id}`)
  for (const query of ['', `?from=${cursor}`]) {
    const response = await tenant.send('GET', `/v1/webhooks/${id}/events${query}`)
    expect([response.status, response.json().code]).toEqual([404, 'not_found'])
  }
  const { items } = await read(tenant, '/v1/events')
  expect(sequences({ items })).toEqual([1])
  const shown = await read(tenant, `/v1/events/${items[0].id}`)
  expect(shown.deliveries).toMatchObject([{ webhook_id: id, state: 'cancelled', attempts: [] }])
})

/** Makes the events up to `sequence` a month older and lets maintenance drop that month. */
async function expire(tenant: TestTenant, sequence: number): Promise<void> {
  const now = new Date()
  await sql`UPDATE events
            SET recorded_at = (recorded_at AT TIME ZONE 'UTC' - interval '1 month') AT TIME ZONE 'UTC'
            WHERE tenant_id = ${tenant.id} AND sequence <= ${sequence}`.execute(api.db)
  const startOfMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  await dropMonths(api.db, startOfMonth)
  await makeMonths(api.db, now, new Date(0))
}

test('a cursor before the oldest event is answered as expired; the next one is valid', async () => {
  const tenant = await api.addTenant()
  const id = await register(tenant)
  await append(tenant, 'eligible', 'eligible', 'eligible', 'eligible')
  const cursorAfter = async (limit: number) =>
    (await read(tenant, `/v1/webhooks/${id}/events?limit=${limit}`)).next_cursor
  const [lost, kept] = [await cursorAfter(1), await cursorAfter(2)]
  await expire(tenant, 2)

  const response = await tenant.send('GET', `/v1/webhooks/${id}/events?from=${lost}`)
  expect([response.status, response.json().code]).toEqual([410, 'cursor_expired'])
  const page = await read(tenant, `/v1/webhooks/${id}/events?from=${kept}`)
  expect(sequences(page)).toEqual([3, 4])
  expect(sequences(await read(tenant, `/v1/webhooks/${id}/events`))).toEqual([3, 4])
})

test('a log with dropped months is verified from its anchor on, and an event deleted since is found', async () => {
  const tenant = await api.addTenant()
  await append(tenant, 'eligible', 'eligible', 'eligible', 'eligible')
  await expire(tenant, 2)
  const findBreaks = async () => {
    const findings = await audit(api.db, { hasSimulation: true, invariants: ['I2'] })
    return findings
      .filter(({ name }) => name === 'chained-events')
      .flatMap(({ violations }) => violations)
      .filter(({ tenantId }) => tenantId === tenant.id)
  }
  expect(await findBreaks()).toEqual([])
  expect(verifyEventChain((await read(tenant, '/v1/events')).items)).toMatchObject({ ok: true })
  await sql`DELETE FROM events WHERE tenant_id = ${tenant.id} AND sequence = 3`.execute(api.db)
  const detail = 'has number 4 and does not follow number 3'
  expect(await findBreaks()).toMatchObject([{ detail }])
})

test('a cursor of a log that has expired as a whole is answered as expired too', async () => {
  const tenant = await api.addTenant()
  await append(tenant, 'eligible', 'eligible')
  const lost = (await read(tenant, '/v1/events?limit=1')).next_cursor
  const end = (await read(tenant, '/v1/events')).next_cursor
  await expire(tenant, 2)
  const response = await tenant.send('GET', `/v1/events?from=${lost}`)
  expect([response.status, response.json().code]).toEqual([410, 'cursor_expired'])
  expect((await tenant.send('GET', `/v1/events?from=${end}`)).status).toBe(200)
})
