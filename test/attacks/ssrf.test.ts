import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { inTransaction } from '../../src/db/database.ts'
import { appendEvents } from '../../src/domain/events/append/append.ts'
import { createHostResolver } from '../../src/providers/webhooks/host-resolver.ts'
import { startTestApi, type TestApi, type TestTenant } from '../support/api/api.ts'
import { expectProblem } from '../support/api/expect-problem.ts'
import { deliverDue } from '../support/deliveries/deliver-due.ts'
import { eligible } from '../support/deliveries/deliveries.ts'
import { insertWebhookRow } from '../support/deliveries/insert-webhook.ts'
import { startDnsServer } from '../support/servers/dns-server.ts'
import { type LocalServer, listen, startCanary } from '../support/servers/misbehaving-server.ts'
import { PRIVATE, REACHING } from '../support/servers/private-addresses.ts'

const PUBLIC = '93.184.216.34'

/** Names by what they lead to, the first time they are asked for and then. */
const ZONE = {
  'inside.test': [{ addresses: ['127.0.0.1'] }],
  'mixed.test': [{ addresses: [PUBLIC, '127.0.0.1'] }],
  'six.test': [{ addresses: [PUBLIC, '::1'] }],
  'mapped.test': [{ addresses: ['::ffff:7f00:1'] }],
  'alias.test': [{ addresses: ['127.0.0.1'], alias: 'somewhere.test' }],
  'rebinding.test': [{ addresses: [PUBLIC] }, { addresses: ['127.0.0.1'] }],
}
const NAMES = Object.keys(ZONE)

let owned: AsyncDisposableStack
let api: TestApi
let canary: LocalServer
beforeAll(async () => {
  owned = new AsyncDisposableStack()
  canary = owned.use(await startCanary())
  const dns = owned.use(await startDnsServer(ZONE))
  const resolveHost = createHostResolver({
    servers: () => [dns.address],
    hostsFile: '/nonexistent',
  })
  // One address of this machine stands for the public ones.
  const env = { WEBHOOK_ALLOW_CIDRS: '127.0.0.9/32' }
  const constants = { maxWebhooks: 1_000 }
  api = owned.use(await startTestApi({ env, constants, resolveHost }))
})
afterAll(() => owned.disposeAsync())

const REFUSAL = {
  type: expect.stringMatching(/\/errors\/url_not_allowed$/),
  title: 'URL Not Allowed',
  status: 422,
  code: 'url_not_allowed',
  detail: 'The URL does not lead to a public address.',
}

const urlsOf = (hosts: string[]) =>
  hosts.flatMap((host) => ['http', 'https'].map((scheme) => `${scheme}://${host}:${canary.port}/x`))

test.each([...REACHING, ...PRIVATE, ...NAMES.slice(0, -1)])(
  '%s cannot be registered, simulated to or delivered to',
  async (host) => {
    const tenant = await api.addTenant()
    const body = { url: 'http://127.0.0.9:9/' }
    expect((await tenant.send('POST', '/v1/webhooks', { body })).status).toBe(201)
    for (const url of urlsOf([host])) {
      const refused = await tenant.send('POST', '/v1/webhooks', { body: { url } })
      const problem = expectProblem(refused, 422, 'url_not_allowed')
      // One answer for all: the same for inner and outer addresses and names.
      const { request_id: _, ...shown } = problem
      expect(shown).toEqual(REFUSAL)
      await expectNoPacket(tenant, url)
    }
  },
)

/** Neither by a simulation nor by a real event, however the URL came to be there. */
async function expectNoPacket(tenant: TestTenant, url: string): Promise<void> {
  const id = await insertWebhookRow(api, tenant.id, url)
  const data = { borrower_id: newId('bor') }
  const simulation = { webhook_id: id, event_type: 'borrower.eligible', data }
  const simulated = await tenant.send('POST', '/v1/webhooks/simulate', { body: simulation })
  expect(simulated.json().response).toEqual({ status: 0, body: '', error: 'address_not_allowed' })

  await inTransaction(api.db, (tx) =>
    appendEvents(tx, tenant.id, [eligible(String(data.borrower_id))]),
  )
  await deliverDue(api.resources, tenant.id, id)
  const { items } = (await tenant.send('GET', `/v1/webhooks/${id}/deliveries`)).json()
  expect(items[0].attempts[0]).toMatchObject({ error: 'address_not_allowed', response_excerpt: '' })
  expect(canary.connections()).toBe(0)
}

test.each(['postgres', 'db.internal'])(
  'the inner name %s, which does not exist, is refused with the same answer as one that does',
  async (host) => {
    const tenant = await api.addTenant()
    const body = { url: `https://${host}/` }
    const refused = await tenant.send('POST', '/v1/webhooks', { body })
    const { request_id: _, ...shown } = expectProblem(refused, 422, 'url_not_allowed')
    expect(shown).toEqual(REFUSAL)
  },
)

test('a name that is public when it is registered and private afterwards receives nothing', async () => {
  const tenant = await api.addTenant()
  const url = `http://rebinding.test:${canary.port}/`
  expect((await tenant.send('POST', '/v1/webhooks', { body: { url } })).status).toBe(201)
  await expectNoPacket(tenant, url)
})

test.each([301, 302, 303, 307, 308])(
  'a %i to a private address is an answer like any other, and is not followed',
  async (status) => {
    const location = `http://127.0.0.1:${canary.port}/`
    await using server = await listen(
      createServer((_request, response) => response.writeHead(status, { location }).end()),
      '127.0.0.9',
    )
    const tenant = await api.addTenant()
    const body = { url: `http://127.0.0.9:${server.port}/` }
    const { id } = (await tenant.send('POST', '/v1/webhooks', { body })).json()
    const data = { borrower_id: newId('bor') }
    const simulation = { webhook_id: id, event_type: 'borrower.eligible', data }
    const simulated = await tenant.send('POST', '/v1/webhooks/simulate', { body: simulation })
    expect(simulated.json().response).toMatchObject({ status, error: null })
    await inTransaction(api.db, (tx) => appendEvents(tx, tenant.id, [eligible(data.borrower_id)]))
    await deliverDue(api.resources, tenant.id, id)
    const { items } = (await tenant.send('GET', `/v1/webhooks/${id}/deliveries`)).json()
    expect(items[0]).toMatchObject({ state: 'pending', attempts: [{ status }] })
    expect(canary.connections()).toBe(0)
  },
)

test('the canary records a delivery where its address is allowed', async () => {
  await fetch(`http://127.0.0.1:${canary.port}/`)
  expect(canary.connections()).toBe(1)
})
