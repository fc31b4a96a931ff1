import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { apiForFile, startTestApi, type TestKey } from '../support/api/api.ts'
import { sealUnderLostKey } from '../support/deliveries/deliveries.ts'
import { LIVE } from '../support/process/config.ts'

const URL = 'https://hooks.example.com/lending'

/** Where names lead in these tests; every other name has no address. */
const ADDRESSES: Record<string, string[]> = {
  'hooks.example.com': ['203.0.114.10'],
  'inside.example.com': ['10.0.0.7'],
}

const api = apiForFile({ resolveHost: async (name) => ADDRESSES[name] ?? [] })

async function register(key: TestKey, body: Record<string, unknown> = {}): Promise<string> {
  const response = await key.send('POST', '/v1/webhooks', { body: { url: URL, ...body } })
  expect(response.status).toBe(201)
  return response.json().id
}

const readWebhook = async (key: TestKey, id: string) =>
  (await key.send('GET', `/v1/webhooks/${id}`)).json()

const create = (key: TestKey, options = {}) => key.send('POST', '/v1/webhooks/secrets', options)

test('the signing secret is answered alone, 32 random bytes behind its prefix, and a new one at each creation', async () => {
  const tenant = await api.addTenant()
  const first = await create(tenant)
  expect(first.status).toBe(201)
  expect(first.json()).toEqual({ secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
  expect((await create(tenant)).json()).not.toEqual(first.json())
})

test('a signing secret encrypted with an unknown key is not shown again, and the answer is no internal error', async () => {
  const tenant = await api.addTenant()
  const idempotencyKey = randomUUID()
  await create(tenant, { idempotencyKey })
  await sealUnderLostKey(api.db, tenant.id)
  const retried = await create(tenant, { idempotencyKey })
  expect(retried.status).toBe(409)
  expect(retried.json().code).toBe('secret_not_retrievable')
  expect(retried.text).not.toContain('lost_key')
  expect((await create(tenant)).status).toBe(201)
})

test('the signing secret is shown again to a retry while it is current, and never again once replaced', async () => {
  const tenant = await api.addTenant()
  const idempotencyKey = randomUUID()
  const first = await create(tenant, { idempotencyKey })
  const retried = await create(tenant, { idempotencyKey })
  expect(retried.text).toBe(first.text)
  expect(retried.headers['idempotent-replayed']).toBe('true')

  const replacement = (await create(tenant)).json()
  const late = await create(tenant, { idempotencyKey })
  expect(late.status).toBe(409)
  expect(late.json().code).toBe('secret_not_retrievable')
  const stored = await api.db
    .selectFrom('signing_secrets')
    .select('sealed')
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirstOrThrow()
  const { sealer } = api.resources
  expect(sealer.open(stored.sealed, `signing-secret/${tenant.id}`)).toBe(replacement.secret)
})

test('the signing secret takes no body but an empty object', async () => {
  expect((await create(api.tenant, { body: {} })).status).toBe(201)
  const refused = await create(api.tenant, { body: { secret: 'mine' } })
  expect(refused.status).toBe(422)
  expect(refused.json().code).toBe('validation_failed')
})

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)

test('a registration answers the id alone; the webhook starts active with a counter of 0', async () => {
  const tenant = await api.addTenant()
  const body = { url: URL, event_types: ['draw.failed'], label: 'production' }
  const response = await tenant.send('POST', '/v1/webhooks', { body })
  expect(response.status).toBe(201)
  const { id, ...rest } = response.json()
  expect(id).toMatch(/^whk_[0-9a-hjkmnp-tv-z]{26}$/)
  expect(rest).toEqual({})
  expect(await readWebhook(tenant, id)).toEqual({
    id,
    ...body,
    created_at: timestamp,
    consecutive_failed_attempts: 0,
    state: 'active',
  })
})

test('a registration without event types, or with none, stands for all of them', async () => {
  for (const body of [{}, { event_types: [] }]) {
    const id = await register(api.tenant, body)
    expect((await readWebhook(api.tenant, id)).event_types).toEqual([])
  }
})

test('a registration folds repeated event types', async () => {
  const eventTypes = ['facility.closed', 'draw.failed', 'facility.closed']
  const id = await register(api.tenant, { event_types: eventTypes })
  const { event_types: kept } = await readWebhook(api.tenant, id)
  expect(kept).toEqual(['facility.closed', 'draw.failed'])
})

test('a registration keeps a label of up to 200 characters, and shows none where none was given', async () => {
  const label = 'ü'.repeat(200)
  expect((await readWebhook(api.tenant, await register(api.tenant, { label }))).label).toBe(label)
  expect(await readWebhook(api.tenant, await register(api.tenant))).not.toHaveProperty('label')
})

test.each([
  ['an unknown event type', { event_types: ['draw.failed', 'draw.lost'] }, '/event_types/1'],
  ['event types that are no list', { event_types: 'draw.failed' }, '/event_types'],
  ['a label of 201 characters', { label: 'x'.repeat(201) }, '/label'],
  ['a label with a control character', { label: 'a\u0000b' }, '/label'],
  ['no URL', { url: undefined }, '/url'],
  ['a URL of 2,049 characters', { url: URL.padEnd(2_049, 'x') }, '/url'],
  ['an unknown member', { secret: 'x' }, '/secret'],
])('a registration with %s is refused at that member', async (_case, body, pointer) => {
  const response = await api.tenant.send('POST', '/v1/webhooks', { body: { url: URL, ...body } })
  expect(response.status).toBe(422)
  expect(response.json()).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] })
})

test.each([
  'https://hooks.example.com:8443/x?y=1',
  'http://hooks.example.com/',
  'http://127.0.0.1:9000/local',
  'https://not-yet-there.example.com/',
  URL.padEnd(2_048, 'x'),
])('a registration takes the URL %s', async (url) => {
  const id = await register(await api.addTenant(), { url })
  expect(id).toMatch(/^whk_/)
})

test.each([
  // Forms: test/domain/webhooks/webhook-url.test.ts; addresses: test/attacks/ssrf.test.ts.
  'https://user:pass@hooks.example.com/',
  'https://inside.example.com/',
])('a registration refuses the URL %s and writes nothing', async (url) => {
  const tenant = await api.addTenant()
  const response = await tenant.send('POST', '/v1/webhooks', { body: { url } })
  expect(response.status).toBe(422)
  expect(response.json().code).toBe('url_not_allowed')
  expect(response.text).not.toMatch(/10\.0\.0\.7/)
  expect((await tenant.send('GET', '/v1/webhooks')).json()).toEqual({ items: [] })
})

test('a registration of thirty at once leaves exactly twenty, and a deletion makes room', async () => {
  const tenant = await api.addTenant()
  const body = { url: URL }
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => tenant.send('POST', '/v1/webhooks', { body })),
  )
  const created = responses.filter(({ status }) => status === 201)
  const refused = responses.filter(({ status }) => status === 409)
  expect([created.length, refused.length]).toEqual([20, 10])
  expect(new Set(refused.map((response) => response.json().code))).toEqual(
    new Set(['limit_reached']),
  )
  expect((await tenant.send('GET', '/v1/webhooks')).json().items).toHaveLength(20)

  await tenant.send('DELETE', `/v1/webhooks/${created[0]?.json().id}`)
  await register(tenant)
})

test('a registration that is retried with its key makes one webhook', async () => {
  const tenant = await api.addTenant()
  const options = { body: { url: URL }, idempotencyKey: randomUUID() }
  const first = await tenant.send('POST', '/v1/webhooks', options)
  const second = await tenant.send('POST', '/v1/webhooks', options)
  expect([second.status, second.text]).toEqual([first.status, first.text])
  expect((await tenant.send('GET', '/v1/webhooks')).json().items).toHaveLength(1)
})

test('the list shows webhooks newest first, without counter and state', async () => {
  const tenant = await api.addTenant()
  const older = await register(tenant, { label: 'older' })
  const newer = await register(tenant, { event_types: ['draw.failed'] })
  const response = await tenant.send('GET', '/v1/webhooks')
  expect(response.status).toBe(200)
  expect(response.json()).toEqual({
    items: [
      { id: newer, url: URL, event_types: ['draw.failed'], created_at: timestamp },
      { id: older, url: URL, event_types: [], label: 'older', created_at: timestamp },
    ],
  })
})

test('a deletion answers 204 with an empty body; afterwards the webhook is unknown everywhere', async () => {
  const tenant = await api.addTenant()
  const id = await register(tenant)
  const path = `/v1/webhooks/${id}`
  const response = await tenant.send('DELETE', path)
  expect([response.status, response.text]).toEqual([204, ''])

  expect((await tenant.send('GET', '/v1/webhooks')).json()).toEqual({ items: [] })
  for (const [method, target] of [
    ['GET', path],
    ['DELETE', path],
    ['GET', `${path}/events`],
    ['GET', `${path}/deliveries`],
  ] as const) {
    const gone = await tenant.send(method, target)
    expect([method, target, gone.status]).toEqual([method, target, 404])
  }
})

test('a deletion that is retried with its key is answered as the first time', async () => {
  const tenant = await api.addTenant()
  const path = `/v1/webhooks/${await register(tenant)}`
  const idempotencyKey = randomUUID()
  expect((await tenant.send('DELETE', path, { idempotencyKey })).status).toBe(204)
  expect((await tenant.send('DELETE', path, { idempotencyKey })).status).toBe(204)
})

test('the live stack takes https alone', async () => {
  await using live = await startTestApi({
    env: LIVE,
    resolveHost: async () => ['203.0.114.10'],
  })
  const body = { url: 'http://hooks.example.com/' }
  const response = await live.tenant.send('POST', '/v1/webhooks', { body })
  expect(response.json().code).toBe('url_not_allowed')
  await register(live.tenant)
})
