import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { inTransaction } from '../../../src/db/database.ts'
import { revokeKey } from '../../../src/domain/auth/keys.ts'
import { apiForFile, type TestKey, type TestTenant } from '../../support/api/api.ts'
import { openBrowser, type SignedIn, signIn } from '../../support/api/console.ts'
import { addEstate } from '../../support/api/estate.ts'
import { expectProblem } from '../../support/api/expect-problem.ts'
import { addEvents, addWebhook } from '../../support/deliveries/deliveries.ts'
import { waitFor } from '../../support/process/patience.ts'

type Item = Record<string, unknown> & { id: string }

const api = apiForFile({ env: { CONSOLE: 'local' } })
let stranger: TestTenant
let person: SignedIn
let estate: Awaited<ReturnType<typeof addEstate>>
beforeAll(async () => {
  stranger = await api.addTenant()
  person = await signIn(api, { role: 'viewer' })
  estate = await addEstate(api, api.tenant)
  await addEvents(api.db, api.tenant.id, 5)
})

async function get(path: string, by = person) {
  const answer = await by.send('GET', `/console/api${path}`)
  expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: 200 })
  return answer.json()
}

async function countLogged(): Promise<number> {
  return (await api.db.selectFrom('request_log').select('request_id').execute()).length
}

/** All pages of a list. */
async function listAll(path: string, by = person): Promise<Item[]> {
  const items: Item[] = []
  const mark = path.includes('?') ? '&' : '?'
  let cursor = ''
  for (;;) {
    const page = await get(`${path}${cursor}`, by)
    items.push(...page.items)
    expect(page.has_more).toBe('next_cursor' in page)
    if (!page.has_more) return items
    cursor = `${mark}from=${page.next_cursor}`
  }
}

const paths = () => [
  '/requests',
  `/requests/${newId('req')}`,
  '/deliveries',
  '/events',
  `/facilities/${estate.facilityId}/ltv`,
  `/draws/${estate.drawId}`,
  `/repayments/${estate.repaymentId}`,
  '/sandbox/prices/BTC',
  '/stream',
]

test('needs a session', async () => {
  for (const path of paths()) {
    const answer = await openBrowser(api).send('GET', `/console/api${path}`)
    expect(answer.status, path).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'session_required' })
  }
})

test('refuses a cursor of another list, of other filters and of another tenant', async () => {
  const other = await signIn(api, { tenantId: stranger.id })
  const { next_cursor: cursor } = await get('/events?limit=1')
  const elsewhere = [
    `/requests?from=${cursor}`,
    `/deliveries?from=${cursor}`,
    `/events?from=${cursor}&type=borrower.eligible`,
  ]
  for (const path of elsewhere) {
    const answer = await person.send('GET', `/console/api${path}`)
    expectProblem(answer, 400, 'cursor_invalid')
  }
  const answer = await other.send('GET', `/console/api/events?limit=1&from=${cursor}`)
  expectProblem(answer, 400, 'cursor_invalid')
})

test('shows nothing of another tenant, to which its ids are unknown', async () => {
  const other = await signIn(api, { tenantId: stranger.id })
  const refused = await api.tenant.send('GET', '/v1/borrowers/bor_0')
  const requestId = String(refused.headers['x-svc-request-id'])
  await waitFor(() => get(`/requests/${requestId}`))
  for (const path of ['/requests', '/deliveries', '/events']) {
    expect((await get(path)).items, path).not.toEqual([])
    expect((await get(path, other)).items, path).toEqual([])
  }
  const resources = [
    `/requests/${requestId}`,
    `/facilities/${estate.facilityId}/ltv`,
    `/draws/${estate.drawId}`,
    `/repayments/${estate.repaymentId}`,
  ]
  for (const path of resources) {
    const answer = await other.send('GET', `/console/api${path}`)
    expectProblem(answer, 404, 'not_found')
  }
})

test('a draw and a repayment lead to their facility, before any event is about them', async () => {
  const place = { facility_id: estate.facilityId }
  expect(await get(`/draws/${estate.drawId}`)).toEqual(place)
  expect(await get(`/repayments/${estate.repaymentId}`)).toEqual(place)
  for (const path of [`/draws/${newId('drw')}`, `/repayments/${estate.drawId}`]) {
    expectProblem(await person.send('GET', `/console/api${path}`), 404, 'not_found')
  }
})

test('what was set and each return to the market are listed, oldest first', async () => {
  const { client } = api.tenant
  await client.setSandboxPrice('ETH', '3000.5')
  await client.setSandboxPrice('ETH', null)
  const { items, market_usd: market } = await get('/sandbox/prices/ETH')
  expect(market).toBe('4000')
  expect(items).toMatchObject([
    { price_usd: '3000.5', source: 'tenant' },
    { price_usd: '4000', source: 'market' },
  ])
  expect((await get('/sandbox/prices/BTC')).items).toEqual([])
  const other = await signIn(api, { tenantId: stranger.id })
  expect((await get('/sandbox/prices/ETH', other)).items).toEqual([])
})

test('an asset that the sandbox has not, is answered 404', async () => {
  const answer = await person.send('GET', '/console/api/sandbox/prices/DOGE')
  expectProblem(answer, 404, 'not_found')
})

describe('requests', () => {
  test('a request of a key and one of a person are listed, each marked as what it is', async () => {
    const signed = await api.tenant.send('GET', '/v1/borrowers?limit=7')
    const clicked = await person.send('GET', '/console/v1/borrowers?limit=7')
    expect(clicked.status).toBe(200)
    const idOf = (answer: typeof signed) => String(answer.headers['x-svc-request-id'])
    await waitFor(() => get(`/requests/${idOf(clicked)}`))
    expect(await get(`/requests/${idOf(signed)}`)).toMatchObject({
      via: 'api',
      key_id: api.tenant.keyId,
      person_id: null,
      route: '/v1/borrowers',
      query: { limit: '7' },
    })
    expect(await get(`/requests/${idOf(clicked)}`)).toMatchObject({
      via: 'console',
      key_id: null,
      person_id: person.personId,
      route: '/console/v1/borrowers',
    })
    const ids = (await listAll('/requests?limit=3')).map(({ id }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(ids).toEqual(expect.arrayContaining([idOf(signed), idOf(clicked)]))
    // What the console asks of its own interface is no request of the tenant's API.
    const paths = (await listAll('/requests')).map(({ path }) => String(path))
    expect(paths.filter((path) => path.startsWith('/console/api'))).toEqual([])
  })

  test('a signature that does not verify shows the string to sign beside what was sent', async () => {
    const idempotencyKey = randomUUID()
    const answer = await api.tenant.send('POST', '/v1/borrowers', {
      body: { type: 'individual' },
      idempotencyKey,
      headers: { 'x-svc-signature': `${'A'.repeat(86)}==` },
    })
    const { string_to_sign: signed } = expectProblem(answer, 401, 'signature_invalid')
    const id = answer.headers['x-svc-request-id']
    const found = await waitFor(() => get(`/requests/${id}`))
    expect(found).toMatchObject({
      string_to_sign: signed,
      answer: answer.json(),
      sent: { 'idempotency-key': idempotencyKey, 'x-svc-key-id': api.tenant.keyId },
    })
    const list = await listAll(`/requests?code=signature_invalid&status=4xx&method=POST`)
    expect(list.map((item) => item.id)).toContain(id)
    expect(await listAll('/requests?code=signature_invalid&status=2xx')).toEqual([])
  })

  describe('that were refused before their signature', () => {
    const past = String(Math.floor(Date.now() / 1_000) - 3_600)
    test.each<[string, number, Parameters<TestKey['send']>[2] & { target?: string }]>([
      ['signature_malformed', 401, { headers: { 'x-svc-signature': 'nonsense' } }],
      ['signature_malformed', 401, { headers: { 'x-svc-timestamp': 'now' } }],
      ['timestamp_out_of_range', 401, { timestamp: past }],
      ['malformed_request', 400, { headers: { 'content-encoding': 'gzip' } }],
      ['malformed_request', 400, { target: '/v1/borrowers/%zz' }],
      ['uri_too_long', 414, { target: `/v1/borrowers/${'x'.repeat(1_500)}` }],
      ['uri_too_long', 414, { target: `/v1/borrowers?type=${'x'.repeat(9_000)}` }],
    ])('%s is listed to the owner of the key', async (code, status, { target, ...given }) => {
      const answer = await api.tenant.send('GET', target ?? '/v1/borrowers', given)
      expectProblem(answer, status, code)
      const found = await waitFor(() => get(`/requests/${answer.headers['x-svc-request-id']}`))
      expect(found).toMatchObject({ status, code, key_id: api.tenant.keyId, via: 'api' })
    })

    test('requests without a part of their signature, or under a revoked key, are listed', async () => {
      const key = await api.tenant.addKey()
      const headers = { 'x-svc-key-id': key.keyId }
      const partial = await fetch(`${api.baseUrl}/v1/borrowers`, { headers })
      const ids = [String(partial.headers.get('x-svc-request-id'))]
      await inTransaction(api.db, (tx) => revokeKey(tx, api.tenant.id, key.keyId, new Date()))
      await waitFor(async () => {
        const revoked = await key.send('GET', '/v1/borrowers')
        expectProblem(revoked, 401, 'signature_invalid')
        ids.push(String(revoked.headers['x-svc-request-id']))
      })
      for (const id of ids) {
        const found = await waitFor(() => get(`/requests/${id}`))
        expect(found).toMatchObject({ status: 401, key_id: key.keyId })
      }
    })

    test("requests under a key that never was, or under none, are no one's", async () => {
      const before = await countLogged()
      const keyId = newId('key')
      for (const headers of [{ 'x-svc-key-id': keyId }, { 'x-svc-key-id': 'x' }, {}]) {
        expect((await fetch(`${api.baseUrl}/v1/borrowers`, { headers })).status).toBe(401)
      }
      const unsigned = { headers: { 'x-svc-key-id': api.tenant.keyId } }
      const stranger = await openBrowser(api).send('GET', '/console/v1/borrowers', unsigned)
      expectProblem(stranger, 401, 'session_required')
      const last = await api.tenant.send('GET', '/v1/borrowers', {
        headers: { 'x-svc-signature': 'x' },
      })
      await waitFor(() => get(`/requests/${last.headers['x-svc-request-id']}`))
      expect(await countLogged()).toBe(before + 1)
    })
  })

  test.each(['status=6xx', 'status=40', 'method=HACK', 'key_id=x', 'since=now', 'more=1'])(
    'a filter of the wrong form is refused: %s',
    async (query) => {
      const answer = await person.send('GET', `/console/api/requests?${query}`)
      expectProblem(answer, 422, 'validation_failed')
    },
  )
})

test('each event to each webhook is listed once, newest first, by each filter', async () => {
  const tenant = await api.addTenant()
  const by = await signIn(api, { role: 'viewer', tenantId: tenant.id })
  const first = await addWebhook(api.db, tenant.id)
  const second = await addWebhook(api.db, tenant.id)
  await addEvents(api.db, tenant.id, 7)
  await api.db
    .updateTable('deliveries')
    .set({ state: 'delivered', next_attempt_at: null, due_at: null })
    .where('tenant_id', '=', tenant.id)
    .where('webhook_id', '=', first)
    .where('sequence', '<=', 3n)
    .execute()
  const key = ({ webhook_id, event_id }: Item) => `${webhook_id} ${event_id}`
  const stored = await api.db
    .selectFrom('deliveries')
    .select(['webhook_id', 'event_id', 'state', 'event_type', 'sequence'])
    .where('tenant_id', '=', tenant.id)
    .orderBy('sequence', 'desc')
    .orderBy('webhook_id', 'desc')
    .execute()
  expect(stored).toHaveLength(14)
  const expected = (passes: (row: (typeof stored)[number]) => boolean) =>
    stored.filter(passes).map((row) => `${row.webhook_id} ${row.event_id}`)
  const listed = async (query: string) =>
    (await listAll(`/deliveries?limit=3${query}`, by)).map(key)

  expect(await listed('')).toEqual(expected(() => true))
  expect(await listed('&state=delivered')).toEqual(expected((row) => row.state === 'delivered'))
  expect(await listed('&state=pending')).toEqual(expected((row) => row.state === 'pending'))
  expect(await listed('&state=dead_lettered')).toEqual([])
  expect(await listed(`&webhook_id=${second}`)).toEqual(
    expected((row) => row.webhook_id === second),
  )
  const type = stored[0]?.event_type ?? ''
  expect(await listed(`&event_type=${type}`)).toEqual(expected((row) => row.event_type === type))
  expect(await listed('&event_type=draw.failed')).toEqual([])
  expect(await listed('&until=2026-01-01T00:00:00Z')).toEqual([])
  expect(await listed('&since=2026-01-01T00:00:00Z')).toHaveLength(14)
  expect(await listed('&since=2999-01-01T00:00:00Z')).toEqual([])
})

test('a pending delivery of a deleted webhook is shown as cancelled', async () => {
  const tenant = await api.addTenant()
  const by = await signIn(api, { role: 'viewer', tenantId: tenant.id })
  const id = await addWebhook(api.db, tenant.id)
  await addEvents(api.db, tenant.id, 2)
  await api.db
    .updateTable('webhooks')
    .set({ state: 'deleted', deleted_at: new Date() })
    .where('tenant_id', '=', tenant.id)
    .where('webhook_id', '=', id)
    .execute()
  expect(await listAll('/deliveries?state=pending', by)).toEqual([])
  const cancelled = await listAll('/deliveries?state=cancelled&limit=1', by)
  expect(cancelled.map(({ state }) => state)).toEqual(['cancelled', 'cancelled'])
})

test('events are listed newest first, as /v1 shows them, by type, resource and time', async () => {
  const log = (await api.tenant.send('GET', '/v1/events?limit=500')).json().items.reverse()
  expect(log.length).toBeGreaterThan(3)
  expect(await listAll('/events?limit=2')).toEqual(log)
  const { type, resource } = log.at(-1)
  expect(await listAll(`/events?limit=2&type=${type}`)).toEqual(
    log.filter((event: { type: string }) => event.type === type),
  )
  expect(await listAll(`/events?limit=2&resource_id=${resource.id}`)).toEqual(
    log.filter((event: { resource: { id: string } }) => event.resource.id === resource.id),
  )
  expect(await listAll('/events?until=2026-01-01T00:00:00Z')).toEqual([])
  expect(await listAll('/events?since=2026-01-01T00:00:00Z&until=2999-01-01T00:00:00Z')).toEqual(
    log,
  )
})

test('the history of a facility shows its LTV, debt and collateral, by the hour or the day', async () => {
  const at = new Date(Date.now() - 60_000)
  const point = {
    ...{ tenant_id: api.tenant.id, facility_id: estate.facilityId, at, taken_at: at },
    ...{ debt_cents: 48_000_00n, collateral_cents: 97_000_00n },
  }
  await api.db.insertInto('facility_ltv_hours').values(point).execute()
  const dayAt = new Date(at.getTime() - 1_000)
  await api.db
    .insertInto('facility_ltv_days')
    .values({ ...point, at: dayAt })
    .execute()
  const figures = { ltv: '0.494846', debt_usd: '48000.00', collateral_usd: '97000.00' }
  const path = `/facilities/${estate.facilityId}/ltv`
  const byHour = { interval: 'hour', items: [{ at: at.toISOString(), ...figures }] }
  const byDay = { interval: 'day', items: [{ at: dayAt.toISOString(), ...figures }] }
  expect(await get(path)).toEqual(byHour)
  const twoWeeks = new Date(Date.now() - 14 * 86_400_000).toISOString()
  expect(await get(`${path}?from=${twoWeeks}`)).toEqual(byHour)
  const year = new Date(Date.now() - 365 * 86_400_000).toISOString()
  expect(await get(`${path}?from=${year}`)).toEqual(byDay)
  expect(await get(`${path}?from=${year}&to=${year}`)).toEqual({ interval: 'day', items: [] })
})
