import { expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { apiForFile, startTestApi, type TestKey } from '../support/api/api.ts'
import { sealUnderLostKey } from '../support/deliveries/deliveries.ts'
import { LIVE } from '../support/process/config.ts'
import { startEndpoint } from '../support/servers/endpoint.ts'

const FACILITY = 'fac_01k9x4m2q8e0tb7f2v5j6h8n3c'
const WARNING = {
  facility_id: FACILITY,
  tier: 2,
  cure_amount: { amount: '9301.10', asset: 'USD' },
}

/** Where names lead; a test may move one. */
const addresses = new Map<string, string[]>()

const api = apiForFile({
  // This machine has the address that tenants are shown.
  env: { DELIVERY_DEADLINE_SECONDS: '1', WEBHOOK_SOURCES: '127.0.0.1' },
  resolveHost: async (name) => addresses.get(name) ?? [],
})

async function register(key: TestKey, url: string, rest: Record<string, unknown> = {}) {
  const response = await key.send('POST', '/v1/webhooks', { body: { url, ...rest } })
  return response.json().id as string
}

const simulate = (key: TestKey, webhookId: string, rest: Record<string, unknown> = {}) =>
  key.send('POST', '/v1/webhooks/simulate', {
    body: {
      webhook_id: webhookId,
      event_type: 'margin_warning.raised',
      data: WARNING,
      ...rest,
    },
  })

async function setFailures(webhookId: string, count: number, state: 'active' | 'disabled') {
  const { db } = api
  await db.updateTable('webhooks').set({ state }).where('webhook_id', '=', webhookId).execute()
  await db
    .updateTable('lanes')
    .set({ failures: count })
    .where('webhook_id', '=', webhookId)
    .execute()
}

const readWebhook = async (key: TestKey, id: string) =>
  (await key.send('GET', `/v1/webhooks/${id}`)).json()

test('a simulation posts a signed first attempt in the production envelope and reports the answer', async () => {
  await using endpoint = await startEndpoint(() => ({ status: 201, body: 'noted' }))
  const tenant = await api.addTenant()
  const { secret } = (await tenant.send('POST', '/v1/webhooks/secrets')).json()
  const id = await register(tenant, endpoint.url)
  const response = await simulate(tenant, id)
  expect(response.status).toBe(200)
  expect(response.json()).toEqual({
    webhook_id: id,
    event_type: 'margin_warning.raised',
    response: { status: 201, body: 'noted', error: null },
  })

  const [posted] = endpoint.seen
  const { rawBody = '', headers = {} } = posted ?? {}
  const verified = verifyWebhook({ rawBody, headers, secret, now: new Date() })
  expect(verified).toMatchObject({ ok: true })
  expect(posted?.attempt).toBe(1)
  expect(JSON.parse(rawBody)).toEqual({
    id: posted?.eventId,
    type: 'margin_warning.raised',
    occurred_at: expect.stringMatching(/Z$/),
    resource_version: 1,
    resource: { type: 'margin_warning', id: `${FACILITY}/1` },
    sequence: 0,
    data: WARNING,
  })
})

test("a simulation occurs by the tenant's clock and is signed by the real one, like a real event", async () => {
  await using endpoint = await startEndpoint()
  const tenant = await api.addTenant()
  const { secret } = (await tenant.send('POST', '/v1/webhooks/secrets')).json()
  const id = await register(tenant, endpoint.url)
  const body = { advance_seconds: 100 * 86_400 }
  const { now } = (await tenant.send('POST', '/v1/sandbox/clock', { body })).json()
  await simulate(tenant, id)
  const [{ rawBody, headers } = { rawBody: '', headers: {} }] = endpoint.seen
  expect(verifyWebhook({ rawBody, headers, secret, now: new Date() })).toMatchObject({ ok: true })
  expect(Date.parse(JSON.parse(rawBody).occurred_at)).toBeGreaterThanOrEqual(Date.parse(now))
})

test('a simulation has an event id of its own each time', async () => {
  await using endpoint = await startEndpoint()
  const id = await register(api.tenant, endpoint.url)
  await simulate(api.tenant, id)
  await simulate(api.tenant, id)
  expect(new Set(endpoint.seen.map(({ eventId }) => eventId)).size).toBe(2)
})

test('a simulation goes out unsigned where no secret exists', async () => {
  await using endpoint = await startEndpoint()
  const tenant = await api.addTenant()
  await simulate(tenant, await register(tenant, endpoint.url))
  expect(endpoint.seen[0]?.headers).not.toHaveProperty('x-svc-webhook-signature')
  expect(endpoint.seen[0]?.headers).toHaveProperty('x-svc-webhook-timestamp')
})

test('a simulation reaches a disabled webhook and a type it is not subscribed to; a 2xx resets its counter', async () => {
  await using endpoint = await startEndpoint()
  const id = await register(api.tenant, endpoint.url, { event_types: ['draw.failed'] })
  await setFailures(id, 100, 'disabled')
  const response = await simulate(api.tenant, id)
  expect(response.json().response).toEqual({ status: 204, body: '', error: null })
  expect(await readWebhook(api.tenant, id)).toMatchObject({
    state: 'disabled',
    consecutive_failed_attempts: 0,
  })
})

test('a simulation that fails raises no counter', async () => {
  await using endpoint = await startEndpoint(() => ({ status: 500, body: 'broken' }))
  const id = await register(api.tenant, endpoint.url)
  await setFailures(id, 99, 'active')
  const response = await simulate(api.tenant, id)
  expect(response.json().response).toEqual({ status: 500, body: 'broken', error: null })
  expect(await readWebhook(api.tenant, id)).toMatchObject({
    state: 'active',
    consecutive_failed_attempts: 99,
  })
})

test('a simulation leaves nothing in the log, no delivery and no number used', async () => {
  await using endpoint = await startEndpoint()
  const tenant = await api.addTenant()
  const id = await register(tenant, endpoint.url)
  await simulate(tenant, id)
  for (const path of ['/v1/events', `/v1/webhooks/${id}/events`, `/v1/webhooks/${id}/deliveries`]) {
    expect((await tenant.send('GET', path)).json().items).toEqual([])
  }
  const counter = await api.db
    .selectFrom('tenant_counters')
    .select('last_sequence')
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst()
  expect(counter?.last_sequence).toBe(0n)
})

const BORROWER = 'bor_01k9x4m2q8e0tb7f2v5j6h8n3c'
const DRAW = 'drw_01k9x4m2q8e0tb7f2v5j6h8n3c'
const REPAYMENT = 'rep_01k9x4m2q8e0tb7f2v5j6h8n3c'
const amount = { amount: '10', asset: 'USD' }
const REQUIRED: [string, Record<string, unknown>][] = [
  ['borrower.eligible', { borrower_id: BORROWER }],
  ['facility.decisioned', { facility_id: FACILITY, decision: 'approved' }],
  ['draw.completed', { facility_id: FACILITY, draw_id: DRAW, amount }],
  ['draw.failed', { facility_id: FACILITY, draw_id: DRAW, code: 'margin' }],
  ['repayment.applied', { facility_id: FACILITY, repayment_id: REPAYMENT }],
  ['repayment.failed', { facility_id: FACILITY, repayment_id: REPAYMENT, code: 'expired' }],
  ['facility.floor_updated', { facility_id: FACILITY, required_floor_usd: '10.00' }],
  ['margin_warning.raised', WARNING],
  ['margin_warning.cured', { facility_id: FACILITY, number: 2 }],
  ['margin_warning.escalated', { facility_id: FACILITY, number: 2 }],
  ['margin_call.started', { facility_id: FACILITY, number: 1 }],
  ['margin_call.completed', { facility_id: FACILITY, number: 1, outcome: 'full' }],
  ['facility.closed', { facility_id: FACILITY }],
]

test.each(REQUIRED)(
  'simulated data of %s need their required few and nothing else',
  async (eventType, data) => {
    await using endpoint = await startEndpoint()
    const id = await register(api.tenant, endpoint.url)
    const accepted = await simulate(api.tenant, id, { event_type: eventType, data })
    expect(accepted.status).toBe(200)
    expect(JSON.parse(endpoint.seen[0]?.rawBody ?? '').data).toEqual(data)

    for (const name of Object.keys(data)) {
      const { [name]: _, ...rest } = data
      const refused = await simulate(api.tenant, id, { event_type: eventType, data: rest })
      expect([name, refused.status]).toEqual([name, 422])
      expect(refused.json()).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: `/data/${name}` }],
      })
    }
    expect(endpoint.seen).toHaveLength(1)
    await api.tenant.send('DELETE', `/v1/webhooks/${id}`)
  },
)

test('simulated data may be of a resource that never was, with a deadline of any precision', async () => {
  await using endpoint = await startEndpoint()
  const id = await register(api.tenant, endpoint.url)
  const data = {
    facility_id: 'fac_123',
    number: 1,
    tier: 2,
    cure_amount: { amount: '5000.00', asset: 'USDC' },
    deadline: '2026-11-20T12:00:00Z',
  }
  expect((await simulate(api.tenant, id, { data })).status).toBe(200)
  expect(JSON.parse(endpoint.seen[0]?.rawBody ?? '')).toMatchObject({
    resource: { type: 'margin_warning', id: 'fac_123/1' },
    data,
  })
  await api.tenant.send('DELETE', `/v1/webhooks/${id}`)
})

test('simulated data that are refused show what each member must be', async () => {
  const id = await register(api.tenant, 'http://127.0.0.1:1/')
  const data = { facility_id: 'bor_1', number: 1, tier: 2 }
  const { errors } = (await simulate(api.tenant, id, { data })).json()
  expect(errors).toMatchObject([
    { pointer: '/data/facility_id', detail: expect.stringContaining('fac_ and up to 64') },
    {
      pointer: '/data/cure_amount',
      detail: 'Required. Example: {"amount":"9301.10","asset":"USD"}.',
    },
  ])
  await api.tenant.send('DELETE', `/v1/webhooks/${id}`)
})

test.each([
  ['an unknown member', { ...WARNING, teir: 1 }, '/data/teir'],
  [
    'an unknown member within',
    { ...WARNING, cure_amount: { ...amount, unit: 'x' } },
    '/data/cure_amount/unit',
  ],
  ['a tier that is none', { ...WARNING, tier: 4 }, '/data/tier'],
  ['an id of another kind', { ...WARNING, facility_id: 'bor_1' }, '/data/facility_id'],
  ['data that are no object', [], '/data'],
])('simulated data with %s are refused at that member', async (_case, data, pointer) => {
  const id = await register(api.tenant, 'http://127.0.0.1:1/')
  const response = await simulate(api.tenant, id, { data })
  expect(response.status).toBe(422)
  expect(response.json()).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] })
  await api.tenant.send('DELETE', `/v1/webhooks/${id}`)
})

async function reasonFor(url: string) {
  const id = await register(api.tenant, url)
  const response = await simulate(api.tenant, id)
  await api.tenant.send('DELETE', `/v1/webhooks/${id}`)
  expect(response.status).toBe(200)
  return response.json().response
}
const none = (error: string) => ({ status: 0, body: '', error })

test('a simulation without an answer gives the reason dns for a name that leads nowhere', async () => {
  expect(await reasonFor('http://nowhere.example.com/')).toEqual(none('dns'))
})

test('the addresses that tenants are shown keep no delivery from the next address of its name', async () => {
  await using endpoint = await startEndpoint()
  // Nothing listens at the first.
  addresses.set('several.example.com', ['127.0.0.2', '127.0.0.1'])
  const url = endpoint.url.replace('127.0.0.1', 'several.example.com')
  const response = await simulate(api.tenant, await register(api.tenant, url))
  expect(response.json().response).toEqual({ status: 204, body: '', error: null })
})

test('on the live stack it is not served: 404 after verification, for one Simulate token', async () => {
  await using live = await startTestApi({
    env: { ...LIVE, RATE_LIMITS: '' },
  })
  const body = { webhook_id: 'x', event_type: 'draw.failed', data: {} }
  const forged = await live.tenant.send('POST', '/v1/webhooks/simulate', {
    body,
    headers: { 'x-svc-signature': Buffer.alloc(64, 1).toString('base64') },
  })
  expect(forged.status).toBe(401)

  const response = await live.tenant.send('POST', '/v1/webhooks/simulate', { body })
  expect([response.status, response.json().code]).toEqual([404, 'sandbox_only'])
  expect(response.headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '9' })
})

test('a secret that cannot be decrypted is answered as an internal error, and nothing is posted', async () => {
  const tenant = await api.addTenant()
  await using endpoint = await startEndpoint()
  const id = await register(tenant, endpoint.url)
  await tenant.send('POST', '/v1/webhooks/secrets')
  await sealUnderLostKey(api.db, tenant.id)
  const answer = await simulate(tenant, id)
  expect(answer.status).toBe(503)
  expect(answer.json()).toMatchObject({ code: 'unavailable', detail: expect.any(String) })
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60)
  expect(answer.text).not.toMatch(/lost_key|encryption/)
  expect(endpoint.seen).toEqual([])
})
